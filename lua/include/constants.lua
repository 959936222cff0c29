-- The build replaces `$name` in every script and include by the value of one of these.

-- 10^12: the most units that a limit, a capacity or a cost has.
most_units = 1000000000000
second_us = 1000000
-- 366 days.
most_period_us = 31622400000000
-- 36,525 days: no bucket takes more than 100 years from empty to full.
most_refill_us = 3155760000000000
most_tiers = 16
most_entries = 8
-- The byte of the digit 0.
digit_zero = 48

-- A reservation is held for at least 1 ms, and at most as long as a period lasts.
least_keep_us = 1000
-- The number of consecutive MessagePack values in a receipt.
receipt_values = 7
-- An `r` key and a receipt live 1 s longer than they are needed.
kept_ms = 1000

-- 2^53: a double holds every integer below it exactly.
exact_below = 9007199254740992
most_exact = 9007199254740991
-- 10^15 is a moment in September 2001. It refuses callers that send seconds or milliseconds.
earliest_now_us = 1000000000000000
-- 2^52, and the last integer below it.
now_below_us = 4503599627370496
latest_now_us = 4503599627370495
-- 2^52 + 2^45: later than a time plus the longest keep, rounded up. A century after it is still below 2^53.
held_below = 4538783999459328
-- Every time from 10^15 to below 2^53 has 16 digits.
time_digits = 16
-- A product beyond 2^53 is divided in digits of seven bits. Six of them hold every number of units, and the first has the weight 128^5.
digit_base = 128
first_digit = 34359738368

-- The server's clock expires the key. A caller that passes the time has another clock, so the key lives this much longer.
padding_ms = 60000

-- Drop-ins compute in doubles and in seconds, like the scripts that they replace.
-- 10^15: the greatest amount, rate or time of a drop-in. A reply still has room for its whole units.
most_amount = 1000000000000000
-- 10^9 s is a moment in September 2001, 10^10 s one in 2286. An optional time may be another argument by mistake, and must not be in
-- milliseconds.
earliest_now_s = 1000000000
latest_now_s = 10000000000
-- 10^9 s are nearly 32 years. No key of a drop-in lives longer.
most_ttl_s = 1000000000
