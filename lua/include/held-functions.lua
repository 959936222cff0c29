--[[
  held-functions: the steps of entries on `r` keys. They cost nothing if all entries charge.

  Reads  now_us has_now call format reply advance charge quotient_up left_of room_in over_at
  Sets   advance charge quotient_up left_of room_in fits_at over_at read_account run_out hold release store report
]]
--- @include "held-moves"
--- @include "held-room"
--- @include "held-walk"
--- @include "held-over"
--- @include "held-account"
--- @include "held-run-out"
--- @include "held-hold"
--- @include "held-store"
--- @include "held-report"
