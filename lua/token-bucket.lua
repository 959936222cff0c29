local fault, tier_arguments = "ERR penstock token-bucket: ", 3
local tier_names = "capacity refill_tokens refill_period_us"
--- @include "call"

local state = call("GET", key)
local denied, cut = false, false
local limit, remaining, wait_us, reset_us, tier
local ttl_us = 0
local kept, charged
local at = 1

for first = 2, last, 3 do
  local capacity, units, period_us = tonumber(ARGV[first]), tonumber(ARGV[first + 1]), tonumber(ARGV[first + 2])
  if not capacity or capacity < 1 or capacity > 1000000000000 or capacity % 1 ~= 0 then
    return redis.error_reply(fault .. "capacity must be an integer from 1 to 1000000000000")
  end
  if not units or units < 1 or units > 1000000000000 or units % 1 ~= 0 then
    return redis.error_reply(fault .. "refill_tokens must be an integer from 1 to 1000000000000")
  end
  if not period_us or period_us < 1 or period_us > 31622400000000 or period_us % 1 ~= 0 then
    return redis.error_reply(fault .. "refill_period_us must be an integer from 1 to 31622400000000")
  end
  local full = capacity * period_us
  if full >= 9007199254740992 then
    local a, b = period_us, units
    while b > 0 do
      a, b = b, a % b
    end
    period_us, units = period_us / a, units / a
    full = capacity * period_us
    if full >= 9007199254740992 then
      return redis.error_reply(fault .. "capacity too big")
    end
  end
  if full > units * 3155760000000000 then
    return redis.error_reply(fault .. "capacity too slow")
  end

  local used, ahead_us = 0, 0
  if state then
    local field = state
    if last > 4 then
      field = string.match(state, "^[^ ]+", at) or ""
      at = at + #field + 1
    end
    local q, r = tonumber(field), 0
    if q then
      if q ~= 0 and (q < 1000000000000000 or q >= 9007199254740992) or format("%d", q) ~= field then
        return redis.error_reply(fault .. "state is not ours")
      end
    else
      return redis.error_reply(fault .. "state is not ours")
    end
    ahead_us = q - now_us
    used = ahead_us * units + r
    if used <= 0 then
      used, ahead_us = 0, 0
    elseif used > full then
      used, cut = full, true
      r = full % units
      ahead_us = (full - r) / units
    elseif r > 0 then
      ahead_us = ahead_us + 1
    end
  end

  local free = full - used
  if cost > capacity then
    if wait_us ~= -1 then
    denied = true
    wait_us, limit, tier, reset_us, remaining = -1, capacity, first, ahead_us, (free - free % period_us) / period_us
    end
  else
    local need = cost * period_us
    if need > free then
      local excess = need - free
      local rest = excess % units
      local wait = (excess - rest) / units
      if rest > 0 then wait = wait + 1 end
      if not denied or wait_us >= 0 and wait > wait_us then
        denied = true
        wait_us, limit, tier, reset_us, remaining = wait, capacity, first, ahead_us, (free - free % period_us) / period_us
      end
    elseif not denied then
      local after = used + need
      free = free - need
      local r = after % units
      ahead_us = (after - r) / units
      local field
      if r == 0 then
        field = format("%d", now_us + ahead_us)
      else
        field = format("%d+%d", now_us + ahead_us, r)
        ahead_us = ahead_us + 1
      end
      charged = charged and charged .. " " .. field or field
      local left = (free - free % period_us) / period_us
      if ahead_us > ttl_us then ttl_us = ahead_us end
      if not remaining or left < remaining then
        limit, remaining, reset_us, tier = capacity, left, ahead_us, first
      end
    end
  end
end
if not denied and cost > 0 then
  call("SET", key, charged, "PX", format("%d", (ttl_us + 999) / 1000))
end
return {denied and 0 or 1, limit, remaining, wait_us or 0, reset_us, (tier + 1) / 3}
