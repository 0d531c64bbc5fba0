-- Coroutines: generators, pipelines, schedulers, errors and closing.

local function permutations(items)
  local function go(n)
    if n <= 1 then coroutine.yield(table.concat(items)) end
    for i = 1, n do
      items[n], items[i] = items[i], items[n]
      go(n - 1)
      items[n], items[i] = items[i], items[n]
    end
  end
  return coroutine.wrap(function() go(#items) end)
end
for p in permutations { "a", "b", "c" } do io.write(p, " ") end
print()

local function numbers(n) return coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end) end
local function keep(source, test)
  return coroutine.wrap(function() for x in source do if test(x) then coroutine.yield(x) end end end)
end
local total = 0
for x in keep(keep(numbers(100), function(x) return x % 3 == 0 end), function(x) return x % 4 == 1 end) do
  total = total + x
end
print("pipeline", total)

local log, queue = {}, {}
local function task(name, steps)
  queue[#queue + 1] = coroutine.create(function()
    for i = 1, steps do log[#log + 1] = name .. i; coroutine.yield() end
    return name .. " done"
  end)
end
task("x", 3); task("y", 1); task("z", 2)
while #queue > 0 do
  local co = table.remove(queue, 1)
  local ok, result = coroutine.resume(co)
  assert(ok)
  if coroutine.status(co) == "dead" then log[#log + 1] = result else queue[#queue + 1] = co end
end
print(table.concat(log, ","))

local co = coroutine.create(function(a, b)
  local c = coroutine.yield(a + b)
  local d, e = coroutine.yield(c * 2)
  error({ code = d + e })
end)
print(coroutine.resume(co, 1, 2))
print(coroutine.resume(co, 10))
local ok, e = coroutine.resume(co, 3, 4)
print(ok, type(e), e.code, coroutine.status(co), coroutine.resume(co))

local deep = coroutine.wrap(function()
  print("inside", coroutine.isyieldable(), select(2, coroutine.running()))
  local ok, value = pcall(function()
    local got = coroutine.yield("from pcall")
    error("sent " .. got, 0)
  end)
  coroutine.yield(tostring(ok) .. ": " .. value)
  local sorted = { 3, 1, 2 }
  table.sort(sorted, function(a, b) return a < b end)
  return table.concat(sorted, "<")
end)
print(deep(), deep("back"), deep())
print(pcall(deep))

local closing = coroutine.create(function()
  local guard <close> = setmetatable({}, { __close = function() print("closed") end })
  coroutine.yield()
end)
coroutine.resume(closing)
print(coroutine.close(closing), coroutine.status(closing))
print(select("#", coroutine.wrap(function() return end)()), pcall(coroutine.resume, nil))
