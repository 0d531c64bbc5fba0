-- Metatables: operators, inheritance, proxies and containers.

local Vector = {}
Vector.__index = Vector
local function vector(x, y) return setmetatable({ x = x, y = y }, Vector) end
function Vector.__add(a, b) return vector(a.x + b.x, a.y + b.y) end
function Vector.__mul(a, b)
  if type(a) == "number" then return vector(a * b.x, a * b.y) end
  if type(b) == "number" then return b * a end
  return a.x * b.x + a.y * b.y
end
function Vector.__unm(a) return vector(-a.x, -a.y) end
function Vector.__eq(a, b) return a.x == b.x and a.y == b.y end
function Vector.__lt(a, b) return a:norm() < b:norm() end
function Vector.__le(a, b) return a:norm() <= b:norm() end
function Vector.__len(a) return 2 end
function Vector.__concat(a, b) return tostring(a) .. tostring(b) end
function Vector.__tostring(a) return "(" .. a.x .. "," .. a.y .. ")" end
function Vector.__call(a, scale) return scale * a end
function Vector.__idiv(a, n) return vector(a.x // n, a.y // n) end
function Vector.__band(a, n) return vector(a.x & n, a.y & n) end
function Vector:norm() return math.sqrt(self * self) end

local a, b = vector(3, 4), vector(1, 2)
print(tostring(a + b), tostring(2 * a), a * b, tostring(-a), a == vector(3, 4), a ~= b, a < b, a >= b)
print(#a, a .. b, tostring(a(10)), a:norm(), tostring(a // 2), tostring(a & 1), "v" .. a)

local Animal = setmetatable({}, { __call = function(class, ...)
  local self = setmetatable({}, class)
  self:init(...)
  return self
end })
Animal.__index = Animal
function Animal:init(name) self.name = name end
function Animal:speak() return self.name .. " " .. self:sound() end
function Animal:sound() return "is silent" end
local Dog = setmetatable({}, { __index = Animal, __call = getmetatable(Animal).__call })
Dog.__index = Dog
function Dog:sound() return "barks" end
print(Animal("Cat"):speak(), Dog("Rex"):speak(), rawget(Dog, "speak"))

local function watched(target, log)
  return setmetatable({}, {
    __index = function(_, k) log[#log + 1] = "get " .. tostring(k); return target[k] end,
    __newindex = function(_, k, v) log[#log + 1] = "set " .. tostring(k); target[k] = v end,
    __pairs = function() return next, target, nil end,
    __metatable = "locked",
  })
end
local log = {}
local proxy = watched({ one = 1 }, log)
proxy.two = proxy.one + 1
local sum = 0
for _, v in pairs(proxy) do sum = sum + v end
print(sum, table.concat(log, ", "), getmetatable(proxy), pcall(setmetatable, proxy, {}))

local memo = setmetatable({}, { __index = function(self, n)
  local v = n < 2 and n or self[n - 1] + self[n - 2]
  rawset(self, n, v)
  return v
end })
print(memo[60], rawlen(memo))

local chain = {}
for i = 1, 50 do chain = setmetatable({ ["k" .. i] = i }, { __index = chain }) end
print(chain.k1, chain.k50, chain.k51)
print(getmetatable("").__index == string, ("x").rep == string.rep)
