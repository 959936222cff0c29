--[[
  held-store: stores an account for 1 s longer than it is needed.

  Reads  over_at now_us has_now call format
  Sets   store
]]
function store(key, account)
  local state, limits, place, lasts_us = account.state, account.limits, 4, account.latest_us > now_us and account.latest_us or now_us
  state[2], state[3] = now_us, lasts_us
  for number = 1, #limits do
    local tier = limits[number]
    if tier.full then
      state[place], place = tier.used, place + 1
    elseif tier.window_us > 0 then
      state[place], state[place + 1], state[place + 2], place = tier.used, tier.end_us, tier.older, place + 3
    end
  end
  local value = cmsgpack.pack(state)
  for number = 1, #limits do
    local over_us = over_at(limits[number], state, place, now_us)
    lasts_us = over_us > lasts_us and over_us or lasts_us
  end
  call("SET", key, value, "PX", format("%d", (lasts_us - now_us + 999) / 1000 + $kept_ms + has_now * $padding_ms))
end
