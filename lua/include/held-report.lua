--[[
  held-report: puts the remaining units of an account into the reply, as if all held units were charged now.

  Reads  left_of quotient_up now_us reply
  Sets   report
]]
-- Without a number, reports the tier with the fewest units left.
function report(account, place, number)
  local chosen, remaining
  for each = 1, #account.limits do
    local left = left_of(account.limits[each], now_us) - account.held
    if left < 0 then
      left = 0
    end
    if each == number or not number and (not chosen or left < remaining) then
      chosen, remaining = each, left
    end
  end
  local tier, held, state = account.limits[chosen], account.held, account.state
  local reset_us = tier.end_us and tier.end_us > 0 and tier.end_us - now_us or held > 0 and tier.window_us or 0
  if tier.full then
    reset_us = quotient_up(math.min(tier.used + held * tier.period_us, tier.most), tier.units)
  elseif tier.window_us == 0 then
    reset_us = held > 0 and state[#state - 1] - now_us or 0
  elseif tier.slides and tier.used + held > 0 then
    reset_us = reset_us + tier.window_us
  end
  reply[place + 1], reply[place + 2], reply[place + 3], reply[place + 4], reply[place + 5] = tier.limit, remaining, held, reset_us, chosen
end
