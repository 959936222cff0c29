--[[
  settle: charges what a reservation has really used so far, and releases the rest or holds it again.

  Algorithm   as reserve
  Source      docs/protocol.md, "Reservations"
  KEYS[1..n]  key   those of the entries that reserve, in their order; then the receipt's
  ARGV[1]     keep_us   how long to hold the rest; 0 closes the reservation
  ARGV[2]     now_us   the caller's time; 0: the server's
  ARGV[3..n]  total   units that an entry has used so far; then of the next
  Reply[1]    settled   1 or 0: there is no such reservation
  Reply[2..n]  limit remaining held reset_us tier   an entry; then the next
  Complexity  O(tiers and times at which something runs out): a read and a write for each key
]]
local error_prefix = "ERR penstock settle: "
local call, format, keys, arguments = redis.call, string.format, KEYS, ARGV
local keep_us, entries = tonumber(arguments[1]), #keys - 1
--- @include "reservation-call"
--- @include "settle-totals"
--- @include "receipt" problem="state must be what reserve stores"
--- @include "settle-made"
local reply, accounts, from_us = {made_until_us and 1 or 0}, {}, now_us
if not made_until_us then
  for place = 2, 5 * entries + 1 do
    reply[place] = 0
  end
  return reply
end

local advance, charge, quotient_up, left_of, room_in, fits_at, over_at, read_account, run_out, hold, release, store, report
--- @include "held-functions"
for entry = 1, entries do
  local arguments, at = made_arguments, holds[4 * entry - 2]
  local script, cost, tiers = arguments[at + 1], arguments[at + 2] + 0, arguments[at + 3] + 0
  local width = script == "token-bucket" and 3 or script == "concurrency" and 1 or 2
  local last, state = at + 3 + tiers * width, call("GET", keys[entry])
  --- @include "held-tiers"
  local is_read, account = pcall(read_account, state, limits)
  if not (is_read and account) then
    --- @include "refuse-state"
  end
  run_out(account)
  account.cost, account.exists, accounts[entry] = cost, state, account
  from_us = math.max(from_us, account.latest_us)
end

local until_us
if closed == 1 then
  for entry = 1, entries do
    report(accounts[entry], 5 * entry - 4)
  end
else
  local kept_us = keep_us > 0 and keep_us or made_keep_us
  --- @include "until" keep=kept_us
  for entry = 1, entries do
    --- @include "settle-entry"
  end
  --- @include "write-receipt" keep=kept_us closed="keep_us > 0 and 0 or 1" turn_us=turn_us holds=holds keys=made_keys arguments=made_arguments
end
return reply
