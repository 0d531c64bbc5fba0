-- Functions that keep what they close over.

local function counter(start)
  local n = start or 0
  return function(step)
    n = n + (step or 1)
    return n
  end, function() return n end
end

local up, now = counter(10)
up(); up(5)
print("shared upvalue", now())

local makers = {}
for i = 1, 4 do makers[i] = function(x) i = i + x; return i end end
for i, f in ipairs(makers) do print("own loop variable", i, f(10), f(100)) end

local function compose(...)
  local parts = table.pack(...)
  return function(x)
    for i = parts.n, 1, -1 do x = parts[i](x) end
    return x
  end
end
local twice = function(x) return 2 * x end
local next_one = function(x) return x + 1 end
print("composed", compose(twice, next_one, twice)(5))

local function sum(...)
  local total = 0
  for i = 1, select("#", ...) do total = total + (select(i, ...) or 0) end
  return total, select("#", ...)
end
print("varargs", sum(1, nil, 3, nil))

local fixed_point = function(f)
  return (function(g) return g(g) end)(function(g)
    return f(function(...) return g(g)(...) end)
  end)
end
local factorial = fixed_point(function(self)
  return function(n) return n == 0 and 1 or n * self(n - 1) end
end)
print("fixed point", factorial(15))

local function tail(n, done) if n == 0 then return done end return tail(n - 1, done + n) end
print("tail calls", tail(20000, 0))

do
  local log = {}
  local function guard(name)
    return setmetatable({}, { __close = function(_, e) log[#log + 1] = name .. "/" .. tostring(e) end })
  end
  local ok = pcall(function()
    local a <close> = guard("a")
    local b <close> = guard("b")
    local c <const> = 3
    error("stop" .. c, 0)
  end)
  print("closed", ok, table.concat(log, " "))
end

for i = 3, 1, -1 do
  for j = 1, 3 do
    if j == i then goto continue end
    io.write(i, ":", j, " ")
    ::continue::
  end
end
print()
