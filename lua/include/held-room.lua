--[[
  held-room: computes the units left besides the used ones, and the time until some fit if none expire; nil beyond the limit.

  Reads  quotient_up left_of
  Sets   left_of room_in
]]
function left_of(tier, time_us)
  if tier.full then
    local free = tier.full - tier.used
    return (free - free % tier.period_us) / tier.period_us
  end
  local used, older, tier_limit, window_us, sight_us = tier.used, tier.older, tier.limit, tier.window_us, tier.end_us - time_us
  --- @include "sliding-left"
  return left
end
function room_in(tier, units, time_us)
  if units <= left_of(tier, time_us) then
    return 0
  elseif units > tier.limit then
    return nil
  elseif tier.full then
    return quotient_up(tier.used - (tier.full - units * tier.period_us), tier.units)
  end
  local free, counted, ends_us = tier.limit - tier.used - units, tier.older, tier.end_us
  if free < 0 then
    if not tier.slides then
      return ends_us - time_us
    end
    -- Not before the open window is the older one.
    free, counted, ends_us = tier.limit - units, tier.used, ends_us + tier.window_us
  end
  --- @include "exact-quotient" factor=free other=tier.window_us divisor=counted
  return ends_us - time_us - quotient
end
