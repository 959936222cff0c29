--[[
  write-entry: charges or holds the cost of an entry if the call is allowed, reports it, and stores the state that this or the time changed.

  Reads  accounts entry longest_us peeks repeats arguments charge hold report store now_us until_us new_holds keys next_states lives call
         format has_now
  Sets   account
]]
local account = accounts[entry]
if account then
  local does, cost = longest_us == 0 and not peeks and repeats == 0, arguments[account.at + 2] + 0
  if does and arguments[account.at] == "debit" then
    for number = 1, #account.limits do
      charge(account.limits[number], cost, now_us)
    end
  elseif does then
    hold(account, until_us, cost)
    local at = #new_holds
    new_holds[at + 1], new_holds[at + 2], new_holds[at + 3], new_holds[at + 4] = entry, account.at, account.state[1], 0
  end
  report(account, 5 * entry - 1, account.denying)
  if does or longest_us > 0 and account.moved then
    store(keys[entry], account)
  end
elseif next_states[entry] and lives[entry] then
  call("SET", keys[entry], next_states[entry], "PX", format("%d", (lives[entry] + 999) / 1000 + has_now * $padding_ms))
elseif next_states[entry] then
  call("SET", keys[entry], next_states[entry], "KEEPTTL")
end
