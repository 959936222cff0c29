--[[
  bucket-backlog: keeps the longest backlog of all tiers: the time until the units used now have drained.

  Reads  used units backlog_us
  Sets   part tier_backlog_us backlog_us
]]
local part = used % units
local tier_backlog_us = (used - part) / units
if part > 0 then
  tier_backlog_us = tier_backlog_us + 1
end
if tier_backlog_us > backlog_us then
  backlog_us = tier_backlog_us
end
