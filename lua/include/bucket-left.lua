--[[
  bucket-left: computes the units left after the call, and when the bucket is full again: in `ahead_us`, at `q+r`.

  Reads  after units now_us full period_us
  Sets   r ahead_us q free left
]]
local r = after % units
local ahead_us = (after - r) / units
local q = now_us + ahead_us
if r > 0 then
  ahead_us = ahead_us + 1
end
local free = full - after
local left = (free - free % period_us) / period_us
