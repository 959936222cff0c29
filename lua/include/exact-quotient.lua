--[[
  exact-quotient: divides the product of $factor and $other by $divisor, for a product of any size.

  Takes  factor other divisor
  Sets   quotient rest
]]
local quotient, rest = 0, $factor * $other
if rest < $exact_below then
  quotient, rest = (rest - rest % $divisor) / $divisor, rest % $divisor
else
  -- Long division, digit by digit of the factor. A rest below 2^45 that is moved by a digit stays exact with a digit's product added.
  local digits = $factor
  rest = 0
  for _ = 1, 6 do
    local below = digits % $first_digit
    rest = rest * $digit_base + (digits - below) / $first_digit * $other
    quotient = quotient * $digit_base + (rest - rest % $divisor) / $divisor
    rest = rest % $divisor
    digits = below * $digit_base
  end
end
