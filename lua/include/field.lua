-- The part of the state that belongs to this tier.
local field = state
if last ~= one_tier and state then
  local stop = string.find(state, " ", state_at or 1, true) or #state + 1
  field = string.sub(state, state_at or 1, stop - 1)
  state_at = stop + 1
  if first + one_tier - 1 > last and stop <= #state then
    field = "surplus"
  end
end
