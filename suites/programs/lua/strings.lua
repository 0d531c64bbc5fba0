-- Strings, formats and patterns.

local text = "The quick brown fox; jumps over 13 lazy dogs, 7 times. key=value, a = 1"

for word in text:gmatch("%a+") do io.write(word:sub(1, 1):upper(), word:sub(2):lower(), "|") end
print()
for key, value in text:gmatch("(%w+)%s*=%s*(%w+)") do print("pair", key, value) end
print(text:find("fox", 1, true), text:find("(%d+)%s(%a+)"))
print(text:match("^(%S+)"), text:match("()lazy()"), text:match("%f[%w]%d+%f[%W]"))
print((text:gsub("%d+", function(n) return "<" .. n * 2 .. ">" end)))
print((text:gsub("(%w+) (%w+)", "%2 %1", 2)))
print(("x = f(a(b)c) + g()"):match("%b()"), ("[[x]]"):gsub("[%[%]]", { ["["] = "(", ["]"] = ")" }))

print(string.format("%5d|%-5d|%05d|%+d|%x|%X|%#o", 42, 42, 42, 42, 48879, 48879, 8))
print(string.format("%.3f|%10.2e|%g|%g|%a", 3.14159, 12345.678, 1e20, 0.1, 0.5))
print(string.format("%s|%10s|%-10s|%.2s|%q|%c", "ab", "ab", "ab", "abc", 'a "quoted"\nline\0', 65))
print(string.format("%q %q %q", 1 / 3, math.mininteger, 10))
print(7 // 2, -7 // 2, 7 % -3, -7 % 3, 7.5 // 2, 2 ^ 10, 10 / 4, 1e15, 1e100, 2 ^ 53)
print(1 << 62, 1 << 63, 1 << 64, ~0, 0xff ~ 0x0f, "10" + 5, "0x10" * 1, 10 .. 20)
print(math.maxinteger + 1 == math.mininteger, 3 | 4, math.type(1), math.type(1.0), math.type("1"))
print(tostring(1e15), tostring(-0.0), 1 / 0, -1 / 0, math.tointeger(3.0), tonumber("z", 36), tonumber("8", 8))

print(("abc"):rep(3, "-"), ("abc"):reverse(), #"\u{20AC}", ("abc"):byte(1, -1))
print(utf8.char(72, 228, 8364, 128512), utf8.len("h\u{e4}\u{20ac}"), utf8.codepoint("\u{20ac}", 1))
for position, code in utf8.codes("a\u{e4}\u{1F600}") do io.write(position, "=", code, " ") end
print()

local packed = string.pack("<i4 >i2 z s1 d B", -2, 258, "zero", "len", 1.5, 255)
print(#packed, string.unpack("<i4 >i2 z s1 d B", packed))
print(string.packsize("i4i8"), ("%d"):rep(3, ","):format(1, 2, 3))

local parts = {}
for i = 1, 300 do parts[#parts + 1] = string.char(97 + i % 26) end
local long = table.concat(parts)
print(#long, long:sub(-10), select(2, long:gsub("[aeiou]", "")), "a" < "b", "Z" < "a", "a" < "a\0")
