--[[
  settle: charges the actual use of a reservation so far, and releases the rest or holds it again.

  Algorithm   as reserve
  Source      docs/protocol.md, "Reservations"
  KEYS[1..n]  key   those of the entries that reserve, in their order; then the receipt's
  ARGV[1]     keep_us   the time to hold the rest; 0 closes the reservation
  ARGV[2]     now_us   the caller's time; 0: the server's
  ARGV[3..n]  total   units that an entry has used so far; then of the next
  Reply[1]    settled   1, or 0: the reservation does not exist
  Reply[2..n]  limit remaining held reset_us tier   an entry; then the next
  Flags       allow-oom
  Complexity  O(tiers and expiry times): a read and a write for each key
]]
local error_prefix = "ERR penstock settle: "
local call, format, keys, arguments = redis.call, string.format, KEYS, ARGV
local keep_us, entries = tonumber(arguments[1]), #keys - 1
--- @include "reservation-call"
--- @include "settle-totals"
--- @include "receipt" problem="state must be what reserve stores"
--- @include "settle-made"

local reply, accounts, from_us = {1}, {}, now_us
local advance, charge, quotient_up, left_of, room_in, fits_at, over_at, read_account, run_out, hold, release, store, report
if made_until_us then
  --- @include "held-functions"
  --- @include "settle-accounts"
end
-- It expired, or its hold was lost: that is final, even if the clock steps back.
if not made_until_us then
  for place = 1, 5 * entries + 1 do
    reply[place] = 0
  end
  if receipt then
    call("DEL", keys[#keys])
  end
  return reply
end

--- @include "settle-largest"
if closed == 0 then
  local until_us
  local kept_us = keep_us > 0 and keep_us or made_keep_us
  --- @include "until" keep=kept_us
  for entry = 1, entries do
    --- @include "settle-entry"
  end
  --- @include "settle-receipt"
end
for entry = 1, entries do
  local account = accounts[entry]
  report(account, 5 * entry - 4)
  if account.changes then
    store(keys[entry], account)
  end
end
return reply
