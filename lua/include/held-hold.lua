--[[
  held-hold: adds units to those that an account holds until a time, or removes them.

  Sets   hold release
]]
function hold(account, until_us, amount)
  local state, at = account.state, #account.state + 1
  while at > account.place and state[at - 2] > until_us do
    at = at - 2
  end
  if at > account.place and state[at - 2] == until_us then
    state[at - 1] = state[at - 1] + amount
  else
    table.insert(state, at, amount)
    table.insert(state, at, until_us)
  end
  account.held = account.held + amount
end
function release(account, until_us, amount)
  local state = account.state
  for at = account.place, #state, 2 do
    if state[at] == until_us then
      local released = math.min(amount, state[at + 1])
      account.held, state[at + 1] = account.held - released, state[at + 1] - released
      if state[at + 1] == 0 then
        table.remove(state, at)
        table.remove(state, at)
      end
      return
    end
  end
end
