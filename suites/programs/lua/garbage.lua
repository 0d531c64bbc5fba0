-- Garbage collection: what is collected, when told to, and what is not.

local weak_values = setmetatable({}, { __mode = "v" })
local weak_keys = setmetatable({}, { __mode = "k" })
local both = setmetatable({}, { __mode = "kv" })

local kept = {}
for i = 1, 40 do
  local object = { i }
  weak_values[i] = object
  weak_keys[object] = i
  both[object] = object
  if i % 8 == 0 then kept[#kept + 1] = object end
end
collectgarbage()
local function size(t) local n = 0 for _ in pairs(t) do n = n + 1 end return n end
print("survivors", size(weak_values), size(weak_keys), size(both), #kept)
for i = 1, 40 do if weak_values[i] then io.write(i, " ") end end
print()

local ephemerons = setmetatable({}, { __mode = "k" })
do
  local a, b = {}, {}
  ephemerons[a], ephemerons[b] = b, a
end
collectgarbage()
print("a cycle of ephemerons is garbage", size(ephemerons))

local order = {}
do
  for i = 1, 6 do setmetatable({}, { __gc = function() order[#order + 1] = i end }) end
end
collectgarbage()
print("finalised in reverse", table.concat(order, " "))

local saved
do
  setmetatable({ name = "phoenix" }, { __gc = function(o) saved = o end })
end
collectgarbage()
print("resurrected", saved.name)
saved = nil
collectgarbage()
print("finalised once only", saved)

local function churn(rounds)
  local list
  for i = 1, rounds do
    list = { next = list, text = "item " .. i }
    if i % 50 == 0 then list = nil end
  end
  return list
end
for _, mode in ipairs { "incremental", "generational", "incremental" } do
  collectgarbage(mode)
  print(mode, churn(2000), churn(2025).text)
end

collectgarbage("stop")
print("stopped", collectgarbage("isrunning"))
churn(500)
collectgarbage("restart")
print("running", collectgarbage("isrunning"), collectgarbage("step", 1 << 20))

local before = collectgarbage("count")
local big = {}
for i = 1, 2000 do big[i] = { i, tostring(i) } end
local full = collectgarbage("count")
big = nil
collectgarbage(); collectgarbage()
print("memory comes back", full > before, collectgarbage("count") < full)

setmetatable({}, { __gc = function() print("finalised at the end") end })
local at_exit <close> = setmetatable({}, { __close = function() print("closed at the end") end })
