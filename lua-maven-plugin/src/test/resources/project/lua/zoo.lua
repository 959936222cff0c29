--[[
  zoo: does one of everything that a minifier can get wrong.

  KEYS[1..1]  key     any keys, repeated
  ARGV[1]     text    text, what to work on
  Reply[1]    length  count, of the text
  Reply[2]    sum     units, of many things
  Reply[3]    digest  text, everything in one string
]]
local function fail(message)
  return redis.error_reply("ERR zoo: " .. message)
end
local text = ARGV[1]
if not text then
  return fail("text must be given")
end

local sum = 0
local function add(value, ...)
  sum = sum + value
  if select("#", ...) > 0 then
    return add(...)
  end
  return sum
end
local parts = {}
function parts.put(value)
  parts[#parts + 1] = tostring(value)
  return value
end
function parts:twice(value)
  self.put(value)
  return (self.put(value))
end
local long = [==[
two
 lines ]] and "quotes"]==]
local a, b = 3, 5
a, b = b, a % b
parts.put(a - -b .. "" .. 1 .. 2)
parts:twice 'it\'s \065\n'
parts.put(- - -a)
parts.put(not not (a < b))
parts[ [[name]] ] = #long .. .5 .. 0x1F .. 1e2;
(parts.put)(parts.name)
for _, key in ipairs { unpack(KEYS) } do
  local a = key
  do
    local key, b = a .. b, a
    parts.put(key .. b)
  end
  if #a > 100 then
    break
  end
end
for i = 10, 1, -3 do
  local step = i
  local later = function(x, y)
    local step = x and step or y
    return function()
      step = step + i
      return step
    end
  end
  add(later(true, 0)(), later(false, 2)())
end
repeat
  local n = (a + b) ^ 2 ^ -1
  a = a - 1
  local done = n < 1
until done or a < 0
while true do
  b = b + 1
  if b > 9 then
    break
  elseif b == 8 and a ~= b or a == nil then
    parts.put({ 1, 2; [3] = 4, x = { y = "z" }, (a), })
    parts[#parts] = ({ unpack { 5, 6 } })[2] == nil and "?" or "6"
  end
end
local unused, _unused2 = nil, add
local text2 = string.format("%s|%s", table.concat(parts, ","), text:rep(2):upper())
return { #text, sum, text2 .. (text2:sub(1, 1)) }
