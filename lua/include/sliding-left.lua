--[[
  sliding-left: computes the units left: the older window counts with the part of it that is in sight, rounded up.

  Reads  used older tier_limit window_us sight_us
  Sets   left
]]
local left = tier_limit - used
if older > 0 then
  --- @include "exact-quotient" factor=older other=sight_us divisor=window_us
  left = left - (rest > 0 and quotient + 1 or quotient)
end
