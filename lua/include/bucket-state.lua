-- Reads one tier's state `q` or `q+r`: what is used of it now. Calculating turns the digits into a number; `()` keeps none of them.
local used = 0
if field then
  if #field == 16 and string.match(field, "^()[1-9]%d*$") then
    used = (field - now_us) * units
  elseif field ~= "0" then
    local q, r = string.match(field, "^([1-9]%d*)%+([1-9]%d*)$")
    r = q and #q == 16 and r + 0 or units
    field = r < units and q or never_us
    used = (field - now_us) * units + r
  end
  if used <= 0 then
    used = 0
  elseif used > full then
    -- The clock stepped back, or this is not ours. A product past 2^53 is rounded, but still more than `full`.
    if field + 0 >= never_us then
      return redis.error_reply(fault .. "state must be what this script stores")
    end
    used, cut = full, true
  end
end
