--[[
  another-pass: decides whether to repeat the pass over the tiers, and with which cost.

  Reads  wait_us cost each granted clock_stepped_back
  Sets   again cost each tier
]]
local again = wait_us > 0 and cost ~= 0 and (each or clock_stepped_back)
if again then
  if each then
    -- Not all of the calls fit: repeat with those that do. If none does, one of them is denied.
    cost = granted > 0 and each * granted or each
    each, tier = nil, nil
  else
    -- Denied, but the clock stepped back: repeat without the cost, to store the cut state.
    cost = 0
  end
end
