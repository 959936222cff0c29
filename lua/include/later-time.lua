--[[
  later-time: keeps the later time if the clock stepped back, but at most as far ahead as a whole bucket takes.

  Takes  whole_s
  Reads  now since
  Sets   elapsed now
]]
local elapsed = now - since
if elapsed < 0 then
  elapsed = 0
  now = now + $whole_s < since and now + $whole_s or since
end
