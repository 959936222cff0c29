--[[
  held-moves: moves a tier from one time to another, and charges it, beyond its limit if necessary.

  Sets   advance charge quotient_up
]]
function advance(tier, from_us, time_us)
  if tier.full then
    -- If the clock stepped back, the used units drain from now.
    local drained = time_us > from_us and (time_us - from_us) * tier.units or 0
    tier.used = tier.used > drained and tier.used - drained or 0
  elseif tier.end_us > time_us + tier.window_us then
    tier.end_us = time_us + tier.window_us
  elseif tier.end_us > 0 and tier.end_us <= time_us then
    -- The open window ended. For as long as it lasted it is the older one, if the window slides.
    tier.older, tier.used, tier.end_us = tier.slides and tier.used or 0, 0, tier.end_us + tier.window_us
    if tier.older == 0 or tier.end_us <= time_us then
      tier.older, tier.end_us = 0, 0
    end
  end
end
function charge(tier, amount, time_us)
  if tier.full then
    tier.used = math.min(tier.used + amount * tier.period_us, tier.most)
  elseif tier.window_us > 0 then
    tier.used = math.min(tier.used + amount, tier.most)
    if tier.end_us == 0 then
      tier.end_us = time_us + tier.window_us
    end
  end
end
function quotient_up(number, divisor)
  local rest = number % divisor
  return (number - rest) / divisor + (rest > 0 and 1 or 0)
end
