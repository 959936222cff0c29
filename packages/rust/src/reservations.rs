//! Calls under several limits, and the units that they hold.
use crate::entries::{tag, CallId, EntryCost, EntryUsage, Mode};
use crate::failure::ReadOnlySince;
use crate::protocol::{is_name, micros, ArgumentError, ReplyError, Script, LONGEST_US, MOST_UNITS};
use crate::{Choice, RESERVE, SETTLE};
use alloc::{
    format,
    string::{String, ToString},
    sync::Arc,
    vec,
    vec::Vec,
};
use core::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

const MOST_ENTRIES: usize = 8;
const HEAD: usize = 4;
const EACH: usize = 5;

#[derive(Debug, Clone)]
pub(crate) struct HoldPolicy {
    #[cfg_attr(not(feature = "redis"), allow(dead_code))]
    pub(crate) name: String,
    prefix: String,
    pub(crate) keep: Duration,
    keep_us: u64,
    #[cfg_attr(not(feature = "redis"), allow(dead_code))]
    pub(crate) timeout: Duration,
    functions: bool,
    #[cfg_attr(not(feature = "redis"), allow(dead_code))]
    pub(crate) on_unavailable: Choice,
    #[cfg_attr(not(feature = "redis"), allow(dead_code))]
    pub(crate) on_overload: Choice,
    #[cfg_attr(not(feature = "redis"), allow(dead_code))]
    pub(crate) read_only: Arc<ReadOnlySince>,
    #[cfg(feature = "redis")]
    pub(crate) verdict: Arc<crate::asking::ServerVerdict>,
    #[cfg(feature = "redis")]
    pub(crate) listener: Option<crate::hold::Listener>,
    #[cfg(feature = "redis")]
    pub(crate) breaker: Option<crate::CircuitBreaker>,
}

/// Makes one decision under several limits of one group, in a single call. Units whose final use is not yet known are held until the call
/// is settled or cancelled, or its reservation expires. A group is the entity that all limits of a call apply to, such as a tenant; an
/// entry applies to the group as a whole or to one of its members. It does not hold a connection.
#[derive(Debug, Clone)]
pub struct Reservations(Arc<HoldPolicy>);

impl Reservations {
    /// Creates reservations that are held for `keep`, 1 ms to 366 days, if they are neither settled nor renewed. The name appears in
    /// events. The timeout is 1 s, or `keep` if that is shorter.
    pub fn new(name: &str, keep: Duration) -> Result<Self, ArgumentError> {
        let keep_us = micros("keep", keep)?;
        if !(1_000..=LONGEST_US).contains(&keep_us) {
            return Err(ArgumentError(format!("keep must be from 1 ms to 366 days: {keep:?}")));
        }
        Ok(Self(Arc::new(HoldPolicy {
            name: name.to_string(),
            prefix: "penstock".to_string(),
            keep,
            keep_us,
            timeout: keep.min(Duration::from_secs(1)),
            functions: false,
            on_unavailable: Choice::Fail,
            on_overload: Choice::Deny,
            read_only: Arc::default(),
            #[cfg(feature = "redis")]
            verdict: Arc::new(crate::asking::ServerVerdict::by_client()),
            #[cfg(feature = "redis")]
            listener: None,
            #[cfg(feature = "redis")]
            breaker: None,
        })))
    }

    /// Sets the prefix of every key.
    pub fn with_prefix(self, prefix: &str) -> Result<Self, ArgumentError> {
        is_name("prefix", prefix)?;
        Ok(self.with(|policy| policy.prefix = prefix.to_string()))
    }

    /// Sets the timeout of a call including its retries, at least 1 ms and at most `keep`, because a call that is retried after its receipt
    /// has expired is charged twice.
    pub fn with_timeout(self, timeout: Duration) -> Result<Self, ArgumentError> {
        if timeout < Duration::from_millis(1) || timeout > self.0.keep {
            return Err(ArgumentError(format!(
                "timeout must be from 1 ms to the keep of {:?}: {timeout:?}",
                self.0.keep
            )));
        }
        Ok(self.with(|policy| policy.timeout = timeout))
    }

    /// Makes calls use the Functions library (Redis 7.0, Valkey) instead of scripts. Load the library first.
    pub fn with_functions(self) -> Self {
        self.with(|policy| policy.functions = true)
    }

    /// Sets the result of a call during an outage, like [`RateLimiter::on_unavailable`](crate::RateLimiter::on_unavailable).
    pub fn on_unavailable(self, choice: Choice) -> Self {
        self.with(|policy| policy.on_unavailable = choice)
    }

    /// Sets the result of a call that is late although the server answers, or that fails because the server is out of memory; the default
    /// is `Deny`.
    pub fn on_overload(self, choice: Choice) -> Self {
        self.with(|policy| policy.on_overload = choice)
    }

    /// Sets the circuit breaker for the server, like
    /// [`RateLimiter::circuit_breaker`](crate::RateLimiter::circuit_breaker). Settlements are always sent.
    #[cfg(feature = "redis")]
    pub fn circuit_breaker(self, breaker: &crate::CircuitBreaker) -> Self {
        self.with(|policy| policy.breaker = Some(breaker.clone()))
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut HoldPolicy)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// Returns how long a call holds its units if it is neither settled nor renewed.
    pub fn keep(&self) -> Duration {
        self.0.keep
    }

    /// Requests all entries of a call (1 to 8, each with a different key) under an id that the library generates. Either all are charged or
    /// held, or none is.
    #[cfg(feature = "redis")]
    pub fn reserve(&self, group: impl AsRef<[u8]>, entries: &[EntryCost]) -> Result<ReserveCall, ArgumentError> {
        self.reserve_with_id(CallId::random(), group, entries)
    }

    /// Requests all entries of a call with an id that the program generates. A repeated call with this id, group and entries returns the
    /// same answer, changes nothing, and refers to the same reservation until the reservation ends or expires. The id of a different call,
    /// or of a call that has ended, is an error of the server.
    pub fn reserve_with_id(
        &self,
        id: CallId,
        group: impl AsRef<[u8]>,
        entries: &[EntryCost],
    ) -> Result<ReserveCall, ArgumentError> {
        if entries.is_empty() || entries.len() > MOST_ENTRIES {
            return Err(ArgumentError(format!("entries must be 1 to {MOST_ENTRIES}: {}", entries.len())));
        }
        let group = group.as_ref();
        let mut receipt = format!("{}:", self.0.prefix).into_bytes();
        receipt.extend(tag(group)?);
        receipt.extend(format!(":{id}").bytes());
        let mut keys = Vec::new();
        let mut args = vec![self.0.keep_us.to_string(), "0".to_string()];
        for (at, entry) in entries.iter().enumerate() {
            let key = entry.key(&self.0.prefix, group)?;
            if keys.contains(&key) {
                return Err(ArgumentError(format!(
                    "entries must have different keys: entry {} has the key of an earlier entry",
                    at + 1
                )));
            }
            keys.push(key);
            args.extend(entry.args());
        }
        let is_held = |at: &usize| entries[*at].mode == Mode::Reserve;
        let mut holding: Vec<_> = (0..entries.len()).filter(is_held).map(|at| keys[at].clone()).collect();
        holding.push(receipt.clone());
        keys.push(receipt);
        let (group, entries) = (group.to_vec(), entries.to_vec());
        Ok(ReserveCall(Arc::new(Plan { policy: self.0.clone(), id, group, entries, holding, keys, args })))
    }
}

#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) policy: Arc<HoldPolicy>,
    pub(crate) id: CallId,
    #[cfg_attr(not(feature = "redis"), allow(dead_code))]
    pub(crate) group: Vec<u8>,
    pub(crate) entries: Vec<EntryCost>,
    /// The keys of the entries that reserve units, and the receipt's key.
    holding: Vec<Vec<u8>>,
    keys: Vec<Vec<u8>>,
    args: Vec<String>,
}

impl Plan {
    fn holders(&self) -> impl Iterator<Item = &EntryCost> {
        self.entries.iter().filter(|entry| entry.mode == Mode::Reserve)
    }

    /// Returns the arguments for a call of this script, or of its source.
    fn words<'a>(&self, script: &'a Script, eval: bool, keys: &'a [Vec<u8>], args: &'a [String]) -> Vec<Vec<u8>> {
        let (name, target) = match (eval, self.policy.functions) {
            (true, _) => ("EVAL", script.source),
            (_, true) => ("FCALL", script.function),
            _ => ("EVALSHA", script.sha1),
        };
        let mut words = vec![name.into(), target.into(), keys.len().to_string().into_bytes()];
        words.extend(keys.iter().cloned());
        words.extend(args.iter().map(|arg| arg.clone().into_bytes()));
        words
    }
}

/// A call under several limits that any client can send. With the feature `redis`, `query` sends it.
#[derive(Debug, Clone)]
#[must_use = "a call takes nothing until it is sent, by `query` or `query_async`"]
pub struct ReserveCall(pub(crate) Arc<Plan>);

impl ReserveCall {
    /// Returns the arguments of the command to send, which is `EVALSHA`, or `FCALL` with Functions. The command can be sent again, and is
    /// charged only once.
    pub fn words(&self) -> Vec<Vec<u8>> {
        self.0.words(&RESERVE, false, &self.0.keys, &self.0.args)
    }

    /// Returns the arguments of the command to send after the answer `NOSCRIPT`.
    pub fn eval_words(&self) -> Vec<Vec<u8>> {
        self.0.words(&RESERVE, true, &self.0.keys, &self.0.args)
    }

    /// Decodes the reply.
    pub fn read(&self, reply: &[i64]) -> Result<Reservation, ReplyError> {
        let plan = &self.0;
        let unreadable = || ReplyError(format!("{reply:?}"));
        let unsigned = |value: i64| u64::try_from(value).map_err(|_| unreadable());
        if reply.len() != HEAD + EACH * plan.entries.len() {
            return Err(unreadable());
        }
        let allowed = flag(reply[0]).ok_or_else(unreadable)?;
        let (wait_us, repeated) = (reply[1], flag(reply[3]).ok_or_else(unreadable)?);
        let denying = match usize::try_from(reply[2]).map_err(|_| unreadable())? {
            0 if allowed && wait_us >= 0 => None,
            entry if !allowed && wait_us >= -1 && (1..=plan.entries.len()).contains(&entry) => Some(entry - 1),
            _ => return Err(unreadable()),
        };
        let mut usages = Vec::new();
        for (entry, five) in plan.entries.iter().zip(reply[HEAD..].chunks(EACH)) {
            let usage = EntryUsage {
                limit: unsigned(five[0])?,
                remaining: unsigned(five[1])?,
                held: unsigned(five[2])?,
                reset_us: unsigned(five[3])?,
                tier: unsigned(five[4])?,
            };
            if usage.limit < 1 || !(1..=entry.tiers() as u64).contains(&usage.tier) {
                return Err(unreadable());
            }
            usages.push(usage);
        }
        let id = plan.id.clone();
        let answer = ReservationAnswer { id, allowed, enforced: true, repeated, wait_us, denying, usages };
        Ok(Reservation::new(plan.clone(), answer))
    }

    /// Returns the answer that the program chose for a call that the server did not answer.
    #[cfg(feature = "redis")]
    pub(crate) fn undecided(&self, allowed: bool) -> Reservation {
        let wait = if allowed { Duration::ZERO } else { self.0.policy.timeout };
        let usage =
            |entry: &EntryCost| EntryUsage { limit: entry.capacity(), remaining: 0, held: 0, reset_us: 0, tier: 1 };
        let usages = self.0.entries.iter().map(usage).collect();
        let wait_us = i64::try_from(wait.as_micros()).unwrap_or(i64::MAX);
        let id = self.0.id.clone();
        let answer =
            ReservationAnswer { id, allowed, enforced: false, repeated: false, wait_us, denying: None, usages };
        Reservation::new(self.0.clone(), answer)
    }
}

fn flag(value: i64) -> Option<bool> {
    [0, 1].contains(&value).then_some(value == 1)
}

/// The answer to a call under several limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReservationAnswer {
    /// The id of the call.
    pub id: CallId,
    /// Whether the call was allowed.
    pub allowed: bool,
    /// False if `on_unavailable` or `on_overload` determined the result; it is then unknown which units are held.
    pub enforced: bool,
    /// Whether this is the answer to an earlier call with the same id, such as an attempt whose reply was lost.
    pub repeated: bool,
    /// For a denied call, the time until it would be allowed if no reservation is settled in the meantime, or -1 if it can never be
    /// allowed. For an allowed call, its delay.
    pub wait_us: i64,
    /// The index, from 0, of the entry with the longest wait; `None` if the call was allowed or is undecided.
    pub denying: Option<usize>,
    /// The usage of each limit, in the order of the entries.
    pub usages: Vec<EntryUsage>,
}

impl ReservationAnswer {
    /// Returns the time until the call would be allowed if no reservation is settled in the meantime. It is zero if the call was allowed,
    /// and `None` if a cost exceeds its limit. To wait and retry, use `ask_again_after`.
    pub fn retry_after(&self) -> Option<Duration> {
        let wait = u64::try_from(self.wait_us).ok()?;
        Some(Duration::from_micros(if self.allowed { 0 } else { wait }))
    }

    /// Returns `retry_after` in whole seconds, rounded up, as in HTTP's `Retry-After`.
    pub fn retry_after_seconds(&self) -> Option<u64> {
        self.retry_after().map(|wait| wait.as_secs() + u64::from(wait.subsec_nanos() > 0))
    }

    /// Returns how long an allowed call must wait for its turn in a leaky bucket's queue before it proceeds.
    pub fn delay(&self) -> Duration {
        Duration::from_micros(if self.allowed { self.wait_us.unsigned_abs() } else { 0 })
    }

    /// Returns the time to wait before retrying a denied call: `retry_after`, or a random time of 50 to 250 ms if that is shorter and held
    /// units could be settled sooner.
    #[cfg(feature = "redis")]
    pub fn ask_again_after(&self) -> Option<Duration> {
        use std::hash::{BuildHasher, RandomState};
        let exact = self.retry_after()?;
        let pace = Duration::from_millis(50 + RandomState::new().hash_one(0) % 201);
        let held = self.denying.is_some_and(|at| self.usages[at].held > 0);
        Some(if held { exact.min(pace) } else { exact })
    }
}

/// The decision about a call under several limits, and the units that the call holds.
///
/// Dropping a reservation sends nothing, because `drop` cannot await. The held units then expire after `keep`, and the estimate is charged;
/// permits of a concurrency limit stay taken until then. A listener receives an event ([`EventKind::Dropped`](crate::EventKind)). End every
/// reservation by sending `settle`, `cancel` or, if the use is unknown, `close`.
#[derive(Debug)]
#[must_use = "held units stay held until they are settled, or expire and are charged"]
pub struct Reservation {
    pub(crate) plan: Arc<Plan>,
    answer: ReservationAnswer,
    pub(crate) ending: AtomicBool,
    pub(crate) ended: AtomicBool,
}

impl Reservation {
    fn new(plan: Arc<Plan>, answer: ReservationAnswer) -> Self {
        let holds = answer.allowed && answer.enforced && plan.holders().next().is_some();
        Self { plan, answer, ending: AtomicBool::new(false), ended: AtomicBool::new(!holds) }
    }

    /// Returns the server's answer.
    pub fn answer(&self) -> &ReservationAnswer {
        &self.answer
    }

    /// Returns whether the call was allowed.
    pub fn allowed(&self) -> bool {
        self.answer.allowed
    }

    /// Ends the reservation, and reports that the call has used `total` units, 0 to 10^12, of each rate limit that it reserves. Units above
    /// the estimate are also charged, even beyond the limit.
    pub fn settle(&self, total: u64) -> Result<Settlement<'_>, ArgumentError> {
        let total = checked(total)?;
        Ok(self.settlement(Ends::Settled, |_| total))
    }

    /// Ends the reservation with a total for each entry; an entry without a total is charged its estimate.
    pub fn settle_entries(&self, totals: &[(&EntryCost, u64)]) -> Result<Settlement<'_>, ArgumentError> {
        for (at, (entry, total)) in totals.iter().enumerate() {
            checked(*total)?;
            let twice = totals[..at].iter().any(|(earlier, _)| earlier == entry);
            if twice || !entry.counts_total() || !self.plan.entries.contains(entry) {
                return Err(ArgumentError(format!(
                    "totals must name entries of this call that reserve units of a rate, each once: {}",
                    entry.limit().policy()
                )));
            }
        }
        Ok(self.settlement(Ends::Settled, |entry| {
            totals.iter().find(|(named, _)| *named == entry).map_or(entry.units(), |(_, total)| *total)
        }))
    }

    /// Ends the reservation without charging anything. Units that an earlier `renew` reported stay charged.
    pub fn cancel(&self) -> Settlement<'_> {
        self.settlement(Ends::Cancelled, |_| 0)
    }

    /// Renews the reservation for another full `keep`, and reports that the call has used `total` units so far of each rate limit that it
    /// reserves. A total below the largest reported so far is ignored, so 0 renews the reservation without reporting further use.
    pub fn renew(&self, total: u64) -> Result<Settlement<'_>, ArgumentError> {
        let total = checked(total)?;
        Ok(self.settlement(Ends::Renewed, |_| total))
    }

    /// Ends the reservation with its estimates or with the units reported so far, whichever is more. Nothing is sent if a command to end it
    /// has already been created.
    pub fn close(&self) -> Settlement<'_> {
        self.settlement(Ends::Closed, EntryCost::units)
    }

    fn settlement(&self, kind: Ends, used: impl Fn(&EntryCost) -> u64) -> Settlement<'_> {
        let keep_us = if kind == Ends::Renewed { self.plan.policy.keep_us } else { 0 };
        let totals = self.plan.holders().map(|entry| used(entry).to_string());
        let args = [keep_us.to_string(), "0".to_string()].into_iter().chain(totals).collect();
        Settlement { reservation: self, kind, args }
    }
}

fn checked(total: u64) -> Result<u64, ArgumentError> {
    if total > MOST_UNITS {
        return Err(ArgumentError(format!("total must be from 0 to {MOST_UNITS}: {total}")));
    }
    Ok(total)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    Settled,
    Cancelled,
    Renewed,
    Closed,
}

/// The result of a settlement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettleResult {
    /// The call is settled, by this or an earlier settlement.
    Settled,
    /// The reservation no longer exists, because it expired and its held units were charged at that time, or because the server lost it.
    RanOut,
    /// Nothing was sent, because the call was denied or undecided, held nothing, or had already ended.
    NothingHeld,
    /// The server did not answer, and `on_unavailable` or `on_overload` is not `Fail`. If the settlement did not reach the server, the held
    /// units are charged when the reservation expires.
    Undecided,
}

/// A settlement or renewal of a reservation that any client can send. With the feature `redis`, `query` sends it.
#[derive(Debug)]
#[must_use = "a settlement does nothing until it is sent, by `query` or `query_async`"]
pub struct Settlement<'a> {
    pub(crate) reservation: &'a Reservation,
    pub(crate) kind: Ends,
    args: Vec<String>,
}

impl Settlement<'_> {
    /// Returns whether nothing needs to be sent. Also records that the reservation must end.
    pub fn is_needless(&self) -> bool {
        let ends = self.kind != Ends::Renewed;
        let told = ends && self.reservation.ending.swap(true, Ordering::AcqRel);
        self.reservation.ended.load(Ordering::Acquire) || told && self.kind == Ends::Closed
    }

    /// Returns the arguments of the command to send. The command can be repeated, because it sends totals rather than differences.
    pub fn words(&self) -> Vec<Vec<u8>> {
        let plan = &self.reservation.plan;
        plan.words(&SETTLE, false, &plan.holding, &self.args)
    }

    /// Returns the arguments of the command to send after the answer `NOSCRIPT`.
    pub fn eval_words(&self) -> Vec<Vec<u8>> {
        let plan = &self.reservation.plan;
        plan.words(&SETTLE, true, &plan.holding, &self.args)
    }

    /// Decodes the reply.
    pub fn read(&self, reply: &[i64]) -> Result<SettleResult, ReplyError> {
        let unreadable = || ReplyError(format!("{reply:?}"));
        if reply.len() != 1 + EACH * self.reservation.plan.holders().count() {
            return Err(unreadable());
        }
        let done = flag(reply[0]).ok_or_else(unreadable)?;
        if !done || self.kind != Ends::Renewed {
            self.reservation.ended.store(true, Ordering::Release);
        }
        Ok(if done { SettleResult::Settled } else { SettleResult::RanOut })
    }
}
