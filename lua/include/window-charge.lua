-- Decides for one tier, and tells what that leaves. A changed limit can be below what is used already.
local wait, after = 0, used + cost
if cost > tier_limit then
  wait = never_us
elseif cost > 0 and after > tier_limit then
  wait = ahead_us
elseif after <= 0 then
  after, ahead_us = 0, 0
elseif ahead_us == 0 then
  ahead_us, opens = window_us, true
end
if wait > 0 then
  after = used
end
local left = tier_limit - after
if left < 0 then
  left = 0
end
