-- Errors: thrown, caught, passed on, of any type, and out of any depth.

print(pcall(error, "plain", 0))
print(select("#", pcall(error)), pcall(error, nil), pcall(error, 42))
print(pcall(function() error("with position") end))
print(pcall(function() error("of the caller", 2) end))

local mistakes = {
  function() return nil + 1 end,
  function() local t = nil; return t.x end,
  function() local t = {}; t.a.b = 1 end,
  function() return #5 end,
  function() return {} < {} end,
  function() return 1 < "2" end,
  function() return "a" .. {} end,
  function() return 1 // 0 end,
  function() return 1 & 1.5 end,
  function() return math.tointeger("x") + 1 end,
  function() undefined_function() end,
  function() local s = "x"; s:nothing() end,
  function() string.rep("x", 1 << 40) end,
  function() string.format("%d", "1.5") end,
  function() setmetatable(1, {}) end,
  function() for i = 1, 10, 0 do end end,
  function() local t = setmetatable({}, { __newindex = function(_, k) error("no " .. k, 0) end }); t.z = 1 end,
  function() ("x"):rep(-1):bad() end,
  function() table.concat({ 1, {}, 3 }) end,
  function() string.char(256) end,
  function() ("x"):gsub("(", "") end,
  function() return ("x"):match("[a") end,
  function() assert(false) end,
  function() assert(nil, "assertion with a message") end,
  function() assert(false, { code = 7 }) end,
  function() table.insert({ 1, 2 }, 9, 0) end,
  function() load("x = = 1")() end,
}
for i, mistake in ipairs(mistakes) do
  local ok, message = pcall(mistake)
  print(i, ok, type(message) == "table" and "table " .. tostring(message.code) or message)
end

print(load("x = = 1", "=chunk"))
print(load("for i = 1 do end", "=chunk"))
print(load("return 'unfinished", "=chunk"))
print(load("goto nowhere", "=chunk"))
print(load("return ...", "=chunk")(1, 2))

local function handler(e) return "handled " .. tostring(e) end
print(xpcall(function(a) error(a .. "!", 0) end, handler, "argument"))
print(xpcall(error, function(e) error("in the handler") end, "first") == false)

local function nested(depth)
  if depth == 0 then error(setmetatable({}, { __tostring = function() return "from the bottom" end })) end
  local ok, e = pcall(nested, depth - 1)
  error(e, 0)
end
print(xpcall(nested, handler, 25))

local function endless(n) return 1 + endless(n + 1) end
local ok, message = pcall(endless, 1)
print(ok, message:match("stack overflow"))
local ok2, message2 = pcall(string.rep, "x", -1)
print(ok2, #message2)

local undone = {}
local function with(name, action)
  local results = table.pack(pcall(action))
  undone[#undone + 1] = name
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end
print(pcall(with, "outer", function()
  with("fine", function() return 1 end)
  with("inner", function() error("broken", 0) end)
end))
print(table.concat(undone, " "))
os.exit(3, true)
