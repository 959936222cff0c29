--[[
  bucket-backlog: keeps the longest backlog of all tiers: the time until what is used now has drained.

  Reads  used units backlog_us
  Sets   part backlog backlog_us
]]
local part = used % units
local backlog = (used - part) / units
if part > 0 then
  backlog = backlog + 1
end
if backlog > backlog_us then
  backlog_us = backlog
end
