if not limit or not period_us or limit < 1 or period_us < 1000 then
  return redis.error_reply(fault .. "limit and period_us must be positive")
end
