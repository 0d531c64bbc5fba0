-- A heap of as many small objects as the argument says.

local rows = {}
for i = 1, tonumber(arg[1]) do rows[i] = { i, "row " .. i, { i } } end
print(#rows)
