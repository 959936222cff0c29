-- The part of the state that belongs to this tier.
local field = state
if state and last > tier_arguments + 1 then
  local stop = string.find(state, " ", state_at, true) or #state + 1
  field = string.sub(state, state_at, stop - 1)
  state_at = stop + 1
  if first + tier_arguments > last and stop <= #state then
    field = "surplus"
  end
end
