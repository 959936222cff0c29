--[[
  later-time: keeps the later time if the clock stepped back, but none further ahead than a whole bucket takes.

  Takes  whole_s
  Reads  now last
  Sets   elapsed now
]]
local elapsed = now - last
if elapsed < 0 then
  elapsed = 0
  now = now + $whole_s < last and now + $whole_s or last
end
