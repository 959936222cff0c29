--[[
  rate-burst: takes `requested` tokens from a bucket that starts full and refills evenly, and returns the remaining tokens.

  Algorithm   token bucket, in floating point; the contract of Spring Cloud Gateway's script with two keys
  Source      docs/drop-ins.md, "rate-burst"
  KEYS[1]     tokens_key      the tokens that were left
  KEYS[2]     timestamp_key   when they were left, in seconds
  ARGV[1]     rate            units that come per second, above 0
  ARGV[2]     capacity        units, above 0
  ARGV[3]     now             seconds, the caller's time, or empty text for the server's
  ARGV[4]     requested       units to take, from 0
  Reply[1]    allowed         1 or 0
  Reply[2]    tokens_left     units, without their fraction
  Complexity  O(1): two reads, two writes
  Mended      keys live for at least a second, however short the fill time; a clock that steps back gains nothing;
              half of the two keys is none; one key twice, or a foreign value, is an error; `redis.replicate_commands` is not called
]]
local error_prefix = "ERR penstock rate-burst: "
--- @include "rate-burst-charge"
return {allowed and 1 or 0, left}
