--[[
  entry-arguments: reads the start of an entry: its mode, its script, its cost, and the number of its tiers.

  Reads  arguments at keep_us peeks error_prefix
  Sets   mode script cost tiers width last peeks
]]
local mode, script, cost, tiers = arguments[at], arguments[at + 1], 1, 1
if mode and mode ~= "charge" and mode ~= "reserve" and mode ~= "debit" then
  return redis.error_reply(error_prefix .. "mode must be charge, reserve or debit")
end
local width = ($holds_3 or mode == "charge" and $charges_3) and 3
  or $holds_2 and 2 or mode == "reserve" and script == "concurrency" and 1
if script and not width then
  return redis.error_reply(error_prefix .. "script must be one that its mode takes")
end
if arguments[at + 2] and arguments[at + 2] ~= "1" then
  cost = tonumber(arguments[at + 2])
  --- @include "check-integer" value=cost name=cost least=0 most=$most_units
end
if peeks == nil then
  peeks = cost == 0
end
if arguments[at + 2] and (peeks ~= (cost == 0) or peeks and keep_us > 0 or cost > 0 and keep_us == 0 and mode == "reserve") then
  return redis.error_reply(error_prefix .. "cost must be 0 in all entries without a receipt, or at least 1 in all, with one to reserve")
end
if arguments[at + 3] and arguments[at + 3] ~= "1" then
  tiers = tonumber(arguments[at + 3])
  --- @include "check-integer" value=tiers name=tiers least=1 most=$most_tiers
  if width == 1 and tiers > 1 then
    return redis.error_reply(error_prefix .. "tiers must be 1 of concurrency")
  end
end
local last = at + 3 + tiers * (width or 1)
if not arguments[last] then
  return redis.error_reply(error_prefix .. "must be complete")
end
