--[[
  quota: takes `cost` units from every tier of a quota that
  starts anew after its period.

  Algorithm   fixed window
  Source      the tests of this plugin
  KEYS[1]     key               whom the quota counts
  ARGV[1]     cost              units, integer; 0 peeks
  ARGV[2..3]  limit period_us   one tier, repeated
  ARGV[n]     now_us            optional: the caller's time
  Reply[1]    allowed           0 or 1
  Reply[2]    left              units still free, in the tier
                                that has the fewest
  Reply[3]    tier              the tier that decided, from 1
  Complexity  O(tiers)
  Peek        ARGV[1] is 0
]]
local error_prefix = "$prefix"
--- @include "call" size=2

local used = { }
for field in string.gmatch(call("GET", key) or "", "%d+") do
  used[#used + 1] = tonumber(field)
end
local left, tier = math.huge, 0
local longest_us = 0
for first = 2, last, 2 do
  local limit, period_us = tonumber(ARGV[first]), tonumber(ARGV[first + 1])
  --- @include "check-tier" value=limit name=limit least=1
  --- @include "check-tier" value=period_us name=period_us least=$least_period_us
  local place = first / 2
  local free = limit - (used[place] or 0) - cost
  if free < left then
    left, tier = free, place
  end
  used[place] = (used[place] or 0) + cost
  longest_us = math.max(longest_us, period_us)
end
if left < 0 then return { 0, left + cost, tier, }; end
if cost > 0 then
  call("SET", key, table.concat(used, " "), "PX", string.format("%d", longest_us / 1000 + now_us * 0));
end
return { 1, left, tier }
