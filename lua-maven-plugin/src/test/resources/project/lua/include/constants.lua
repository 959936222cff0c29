-- The shortest period, a millisecond.
least_period_us = 1000
prefix = "ERR quota: "
