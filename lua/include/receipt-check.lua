--[[
  receipt-check: checks all numbers of a receipt: within their bounds, and the holds those of the entries that reserve.

  Reads  made_until_us made_keep_us closed turn_us holds made_keys made_arguments
  Sets   is_read is_right
]]
-- A value of another type than the expected number, list or text raises an error.
is_read, is_right = pcall(function()
  local is_in = made_until_us >= $earliest_now_us and made_until_us < $held_below and made_until_us % 1 == 0
    and made_keep_us >= $least_keep_us and made_keep_us <= $most_period_us and made_keep_us % 1 == 0
    and type(holds) == "table" and type(made_keys) == "table" and #made_keys > 1 and (closed == 0 or closed == 1)
    and turn_us >= 0 and turn_us < $exact_below and turn_us % 1 == 0
  local at, hold = 3, 1
  for entry = 1, #made_keys - 1 do
    local script, tiers = made_arguments[at + 1], made_arguments[at + 3] + 0
    local width = script == "concurrency" and 1 or $holds_2 and 2 or 3
    is_in = is_in and tiers >= 1 and tiers <= (width > 1 and $most_tiers or 1) and tiers % 1 == 0
    if made_arguments[at] == "reserve" then
      local first_us, total = holds[hold + 2], holds[hold + 3]
      is_in = is_in and holds[hold] == entry and holds[hold + 1] == at and first_us >= $earliest_now_us
        and first_us < $now_below_us and first_us % 1 == 0 and total >= 0 and total <= $most_units and total % 1 == 0
      hold = hold + 4
    end
    at = at + 4 + tiers * width
  end
  return is_in and hold == #holds + 1 and at == #made_arguments + 1
end)
