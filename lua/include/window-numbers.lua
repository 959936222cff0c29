--[[
  window-numbers: reads the numbers of a window: its limit and its length.

  Reads  arguments first error_prefix
  Sets   tier_limit window_us
]]
local tier_limit = tonumber(arguments[first])
--- @include "check-integer" value=tier_limit name=limit least=1 most=$most_units
local window_us = tonumber(arguments[first + 1])
--- @include "check-integer" value=window_us name=window_us least=1 most=$most_period_us
