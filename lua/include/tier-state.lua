--[[
  tier-state: cuts this tier's part out of the state.

  Takes  several
  Reads  state state_at first last arguments_of_one_tier
  Sets   tier_state state_at
]]
local tier_state = state
if $several and state then
  local stop = string.find(state, " ", state_at or 1, true) or #state + 1
  tier_state = string.sub(state, state_at or 1, stop - 1)
  state_at = stop + 1
  if first + arguments_of_one_tier - 1 > last and stop <= #state then
    -- The state has more parts than there are tiers. This word is never a valid state.
    tier_state = "surplus"
  end
end
