--[[
  several-calls: reads a cost of the form `cost*calls` as the total cost of these calls.

  Reads  arguments each granted
  Sets   each granted cost
]]
each, granted = string.match(arguments[1], "^([1-9]%d*)%*([1-9]%d*)$")
if each then
  each, granted = each + 0, granted + 0
  cost = each * granted
end
