--[[
  settle-numbers: reads the numbers of an entry from the arguments of its reservation.

  Reads  arguments at error_prefix
  Sets   script cost width last limits
]]
local script, cost = arguments[at + 1], arguments[at + 2] + 0
local width = $holds_3 and 3 or script == "concurrency" and 1
  or $holds_2 and 2
local last = at + 3 + arguments[at + 3] * width
--- @include "held-tiers"
