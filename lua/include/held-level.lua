--[[
  held-level: reads the used units of a tier at the last write: for a bucket one number, for a window three consistent ones.

  Reads  limits number stored state place last_us is_right
  Sets   tier size place is_right
]]
local tier = limits[number]
local size = tier.full and 1 or tier.window_us > 0 and 3 or 0
if not stored then
  for field = place, place + size - 1 do
    state[field] = 0
  end
elseif size > 0 then
  tier.used = state[place]
  is_right = is_right and tier.used >= 0 and tier.used <= tier.most
end
if stored and size == 3 then
  local end_us, older = state[place + 1], state[place + 2]
  tier.end_us, tier.older = end_us, older
  is_right = is_right and older >= 0 and older <= (tier.slides and tier.most or 0)
  -- An unused window is not open, and none ends later than a whole length after the last write.
  if tier.used + older == 0 then
    is_right = is_right and end_us == 0
  else
    is_right = is_right and end_us > last_us and end_us <= last_us + tier.window_us
  end
end
place = place + size
