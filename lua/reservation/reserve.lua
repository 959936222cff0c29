--[[
  reserve: charges, holds or debits the costs of a call under up to eight limits, all or none.

  Algorithm   those of the five scripts; held units are stored as sums by expiry time
  Source      docs/protocol.md, "Reservations"
  KEYS[1..n]  key   one for each entry, 1 to 8; then, unless keep_us is 0, the receipt's
  ARGV[1]     keep_us   the time to hold unless renewed; 0: no receipt
  ARGV[2]     now_us   the caller's time; 0: the server's
  ARGV[3..n]  mode script cost tiers number   an entry, with as many numbers as its tiers have; then the next
  Reply[1]    allowed   1 or 0
  Reply[2]    wait_us   denied: until the same call would be allowed, -1 never; allowed: until its turn
  Reply[3]    entry   index of the entry with the longest wait; 0 if allowed
  Reply[4]    repeat   flag: 1 if an earlier call with this id was decided
  Reply[5..n]  limit remaining held reset_us tier   an entry; then the next
  Peek        ARGV[5] is 0
  Complexity  O(tiers and expiry times): a read and a write for each key
]]
local error_prefix = "ERR penstock reserve: "
local call, format, keys, arguments = redis.call, string.format, KEYS, ARGV
local keep_us = arguments[1] == "0" and 0 or tonumber(arguments[1])
local entries = keep_us == 0 and #keys or #keys - 1
--- @include "reservation-call"
local repeats, turn_at_us = 0, 0
if keep_us > 0 then
  --- @include "made-before"
end

-- Longer than any wait, and later than any stored time.
local never_us = $exact_below
local reply, next_states, lives, accounts, denies = {1, 0, 0, repeats, 0, 0, 0, 0, 0}, {false}, {false}, {}, {}
local longest_us, longest, backlog_us, from_us, peeks, stepped, again = 0, 0, 0, now_us
local advance, charge, quotient_up, left_of, room_in, fits_at, over_at, read_account, run_out, hold, release, store, report
repeat
  local at = 3
  for entry = 1, entries do
    error_prefix = "ERR penstock reserve: entry " .. string.char($digit_zero + entry) .. " "
    --- @include "entry-arguments"
    local state, wait_us = call("GET", keys[entry]), 0
    if again or repeats == 1 then
      cost = 0
    end
    if mode == "charge" then
      --- @include "charge-entry"
    elseif not again then
      if not report then
        --- @include "held-functions"
      end
      --- @include "held-entry"
    end
    if wait_us > 0 then
      denies[entry] = true
      if wait_us > longest_us then
        longest_us, longest = wait_us, entry
      end
    end
    at = last + 1
  end
  if arguments[at] then
    return redis.error_reply("ERR penstock reserve: entry " .. entries + 1 .. " must have a key")
  end
  -- Denied: repeat without the costs, for the report of a peek, and to store the cut of a clock step.
  again = not again and longest_us > 0 and (entries > 1 or stepped)
until not again

local until_us
if keep_us > 0 then
  --- @include "until" keep=keep_us
end
local new_holds = {}
for entry = 1, entries do
  --- @include "write-entry"
end
if longest_us > 0 then
  reply[1], reply[2], reply[3] = 0, longest_us == never_us and -1 or longest_us, longest
elseif repeats == 1 then
  reply[2] = math.max(0, math.min(turn_at_us - now_us, backlog_us))
else
  reply[2] = backlog_us
  if keep_us > 0 then
    --- @include "write-receipt"
  end
end
return reply
