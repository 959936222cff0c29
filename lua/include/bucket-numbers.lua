--[[
  bucket-numbers: reads the numbers of a bucket: capacity, $units and $period.

  Takes  units period
  Reads  arguments first error_prefix
  Sets   capacity units period_us
]]
local capacity = tonumber(arguments[first])
--- @include "check-integer" value=capacity name=capacity least=1 most=$most_units
local units = tonumber(arguments[first + 1])
--- @include "check-integer" value=units name=$units least=1 most=$most_units
local period_us = tonumber(arguments[first + 2])
--- @include "check-integer" value=period_us name=$period least=1 most=$most_period_us
