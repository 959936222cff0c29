--[[
  until: computes the expiry time of a hold, rounded up so that few such times are in use.

  Takes  keep
  Reads  from_us until_us
  Sets   _ exponent step_us until_us
]]
local _, exponent = math.frexp($keep / 8)
local step_us = math.ldexp(1, exponent - 1)
until_us = from_us + $keep
until_us = until_us + -until_us % step_us
