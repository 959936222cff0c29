--[[
  sliding-refund: refunds units: first those of the open window, then those of the older one.

  Reads  cost used older
  Sets   used older sight_us
]]
if cost < 0 then
  used = used + cost
  if used <= 0 then
    used, older = 0, older + used
    if older <= 0 then
      older, sight_us = 0, 0
    end
  end
end
