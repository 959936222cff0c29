--[[
  interval-numbers: reads the numbers of an interval bucket: capacity, tokens and interval.

  Reads  arguments first error_prefix
  Sets   capacity tokens interval_us
]]
local capacity = tonumber(arguments[first])
--- @include "check-integer" value=capacity name=capacity least=1 most=$most_units
local tokens = tonumber(arguments[first + 1])
--- @include "check-integer" value=tokens name=tokens least=1 most=$most_units
local interval_us = tonumber(arguments[first + 2])
--- @include "check-integer" value=interval_us name=interval_us least=1 most=$most_period_us
