-- Tables as arrays, records, sets, queues and matrices.

local function show(list) print(#list, table.concat(list, " ")) end

local list = {}
for i = 1, 20 do list[i] = (i * 7919) % 101 end
show(list)
table.sort(list)
show(list)
table.sort(list, function(a, b) return a % 10 < b % 10 or (a % 10 == b % 10 and a > b) end)
show(list)
table.insert(list, 1, -1)
table.insert(list, 999)
print(table.remove(list, 5), table.remove(list), table.remove(list, 1))
show(table.move(list, 1, 5, 3, { 0, 0 }))
print(table.unpack({ 1, 2, 3, nil, 5 }, 2, 5))

local people = {}
for i, name in ipairs { "Ada", "Grace", "Edsger", "Barbara", "Tony" } do
  people[#people + 1] = { name = name, age = 30 + i * i % 7, tags = { [name:len()] = true } }
end
table.sort(people, function(a, b)
  if a.age ~= b.age then return a.age < b.age end
  return a.name < b.name
end)
for _, p in ipairs(people) do io.write(p.name, "/", p.age, "/", next(p.tags), " ") end
print()

local words = {}
for word in ("to be or not to be that is the question to be"):gmatch("%a+") do
  words[word] = (words[word] or 0) + 1
end
local keys = {}
for word in pairs(words) do keys[#keys + 1] = word end
table.sort(keys)
for _, word in ipairs(keys) do io.write(word, "=", words[word], " ") end
print()

for _, word in ipairs(keys) do if #word == 2 then words[word] = nil end end
local left = 0
for _ in pairs(words) do left = left + 1 end
print("left", left, rawlen(keys), rawget(words, "to"), next({}))

local n, matrix, product = 8, {}, {}
for i = 1, n do
  matrix[i] = {}
  for j = 1, n do matrix[i][j] = (i * j) % 5 + 0.5 end
end
for i = 1, n do
  product[i] = {}
  for j = 1, n do
    local sum = 0
    for k = 1, n do sum = sum + matrix[i][k] * matrix[k][j] end
    product[i][j] = sum
  end
  print(table.concat(product[i], " "))
end

local sieve, primes = {}, {}
for i = 2, 400 do
  if not sieve[i] then
    primes[#primes + 1] = i
    for j = i * i, 400, i do sieve[j] = true end
  end
end
print(#primes, primes[#primes], primes[10])

local mixed = { 1, 2, nil, 4, [3.0] = "three", [2 ^ 53] = "big", [-1] = "minus", ["3"] = "text" }
print(mixed[3], mixed[2 ^ 53 | 0], mixed[-1], mixed["3"], #mixed)
