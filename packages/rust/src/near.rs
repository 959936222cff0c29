//! Remembered denials: rules N1 to N6 of docs/protocol.md.

use crate::{ArgumentError, Decision, Limit};
use alloc::{boxed::Box, format, sync::Arc};
use core::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};

const FORGET_TIMES: usize = 4096;
const LONGEST_KEY: usize = 512;
const NOTICED_NANOS: i64 = 5_000_000;

/// Repeats denials for a short time without a round trip. Create one for each server or cluster and pass it to all limiters whose calls go
/// there. Clones share the remembered denials. It is thread-safe.
///
/// It is a table with two possible slots for each key. A newer denial replaces an expired one or, if there is none, an unexpired one; the
/// next call for the replaced denial's key then takes a round trip. Keys longer than 512 bytes are not remembered.
#[derive(Clone)]
pub struct DenialMemory(Arc<Table>);

/// The two slots of the keys with one hash.
type DenialPair = [Option<Box<Denial>>; 2];

struct Table {
    most_nanos: i64,
    hasher: RandomState,
    pairs: Box<[RwLock<DenialPair>]>,
    /// The times at which keys were last forgotten: denials of calls sent before are not remembered. Several keys share a slot.
    forgotten: Box<[AtomicI64]>,
}

/// A time on the monotonic clock, which may stop while the machine is suspended, and on the wall clock. If their offset changes, earlier
/// denials are not used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    nanos: i64,
    wall: i64,
}

impl Moment {
    pub(crate) fn now() -> Self {
        static BEGUN: OnceLock<Instant> = OnceLock::new();
        let nanos = BEGUN.get_or_init(Instant::now).elapsed().as_nanos() as i64 + 1;
        let wall = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |wall| wall.as_nanos() as i64);
        Self { nanos, wall }
    }

    fn steady_since(self, earlier: Self) -> bool {
        let apart = (self.wall - earlier.wall) - (self.nanos - earlier.nanos);
        (-NOTICED_NANOS..=NOTICED_NANOS).contains(&apart)
    }
}

/// A denial by the server, and how long it is repeated.
struct Denial {
    hash: u64,
    key: Box<[u8]>,
    limit: Limit,
    cost: u64,
    decision: Decision,
    sent: Moment,
    answered: Moment,
    life: i64,
}

impl Denial {
    fn is_of(&self, hash: u64, key: &[u8]) -> bool {
        self.hash == hash && *self.key == *key
    }

    fn is_over(&self, now: Moment) -> bool {
        now.nanos - self.sent.nanos >= self.life
    }
}

impl DenialMemory {
    /// Creates a memory for `entries` denials, 2 to 10^7. Each denial is repeated for at most `at_most`, 1 microsecond to 1 minute; after
    /// that, a call goes to the server again. An entry takes about 250 bytes plus its key.
    pub fn new(at_most: Duration, entries: usize) -> Result<Self, ArgumentError> {
        if !(Duration::from_micros(1)..=Duration::from_secs(60)).contains(&at_most) {
            return Err(ArgumentError(format!("at_most must be from 1 microsecond to 1 minute: {at_most:?}")));
        }
        if !(2..=10_000_000).contains(&entries) {
            return Err(ArgumentError(format!("entries must be from 2 to 10000000: {entries}")));
        }
        Ok(Self(Arc::new(Table {
            most_nanos: at_most.as_nanos() as i64,
            hasher: RandomState::new(),
            pairs: (0..entries / 2).map(|_| RwLock::default()).collect(),
            forgotten: (0..FORGET_TIMES).map(|_| AtomicI64::new(0)).collect(),
        })))
    }

    /// Returns a denial if a remembered denial implies that the server would deny this call too.
    pub(crate) fn find(&self, key: &[u8], limit: &Limit, cost: u64, now: impl Fn() -> Moment) -> Option<Decision> {
        let hash = self.0.hasher.hash_one(key);
        let pair = self.0.pair(hash).read().unwrap_or_else(PoisonError::into_inner);
        let known = pair.iter().flatten().find(|known| known.is_of(hash, key))?;
        let mut time = now();
        if !time.steady_since(known.sent) {
            // The thread may be suspended between its two clock readings.
            time = now();
        }
        let counts = self.0.counts(hash, known.sent) && time.steady_since(known.sent) && !known.is_over(time);
        if !counts || known.limit != *limit {
            return None;
        }
        let passed = (time.nanos - known.answered.nanos).max(0);
        let mut told = Decision { remembered: true, reset_us: less(known.decision.reset_us, passed), ..known.decision };
        match u64::try_from(known.decision.wait_us) {
            Ok(wait) => {
                let longer = longer_wait(limit, known.cost, cost, known.decision.remaining)?;
                told.wait_us = less(wait + longer, passed) as i64;
            }
            Err(_) if cost != known.cost => return None,
            Err(_) => {}
        }
        Some(told)
    }

    /// Remembers the server's denial of a call that was sent and answered at these times.
    pub(crate) fn remember(
        &self,
        key: &[u8],
        limit: &Limit,
        cost: u64,
        decision: Decision,
        (sent, answered): (Moment, Moment),
    ) {
        let hash = self.0.hasher.hash_one(key);
        let most = self.0.most_nanos;
        let life = if decision.wait_us < 0 { most } else { decision.wait_us.saturating_mul(999).min(most) };
        let over = answered.nanos - sent.nanos >= life;
        if key.len() > LONGEST_KEY || over || !answered.steady_since(sent) || !self.0.counts(hash, sent) {
            return;
        }
        let (key, limit) = (key.into(), limit.clone());
        let fresh = Box::new(Denial { hash, key, limit, cost, decision, sent, answered, life });
        let mut pair = self.0.pair(hash).write().unwrap_or_else(PoisonError::into_inner);
        let same = |at: usize| pair[at].as_ref().is_some_and(|known| known.is_of(hash, &fresh.key));
        let free = |at: usize| pair[at].as_ref().is_none_or(|known| known.is_over(answered));
        let second = same(1) || !same(0) && !free(0) && free(1);
        pair[usize::from(second)] = Some(fresh);
    }

    /// Forgets the denials of a key under every limit.
    pub(crate) fn forget(&self, key: &[u8], now: Moment) {
        let hash = self.0.hasher.hash_one(key);
        self.0.forgotten[hash as usize % FORGET_TIMES].fetch_max(now.nanos, Ordering::SeqCst);
    }
}

impl Table {
    fn pair(&self, hash: u64) -> &RwLock<DenialPair> {
        &self.pairs[((u128::from(hash) * self.pairs.len() as u128) >> 64) as usize]
    }

    fn counts(&self, hash: u64, asked: Moment) -> bool {
        asked.nanos > self.forgotten[hash as usize % FORGET_TIMES].load(Ordering::SeqCst)
    }
}

impl fmt::Debug for DenialMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DenialMemory of {} entries", 2 * self.0.pairs.len())
    }
}

/// Returns the additional wait of another cost compared with the denied one, in microseconds, at most one too many. With several windows or
/// buckets another one may decide, and in a sliding window the wait depends on the older window, so those calls go to the server.
fn longer_wait(limit: &Limit, denied: u64, asked: u64, remaining: u64) -> Option<u64> {
    if asked == denied {
        return Some(0);
    }
    let [tier] = limit.tiers() else { return None };
    if asked < denied || asked > tier[0] {
        return None;
    }
    match limit.script().refill {
        "at_end" => Some(0),
        "evenly" => {
            let (mut divisor, mut rest) = (tier[1], tier[2]);
            while rest > 0 {
                (divisor, rest) = (rest, divisor % rest);
            }
            Some(((asked - denied) * (tier[2] / divisor)).div_ceil(tier[1] / divisor))
        }
        "in_batches" => {
            let batches = |cost: u64| cost.saturating_sub(remaining).div_ceil(tier[1]);
            Some((batches(asked) - batches(denied)) * tier[2])
        }
        _ => None,
    }
}

/// Subtracts from microseconds the time that has certainly passed, rounded up: a thousandth less than measured, because the local clock may
/// drift from the server's by that much.
fn less(micros: u64, passed_nanos: i64) -> u64 {
    (micros.saturating_mul(1000)).saturating_sub(passed_nanos as u64 / 1000 * 999).div_ceil(1000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{string::String, vec, vec::Vec};
    use std::thread;

    fn denial(wait_us: i64) -> Decision {
        Decision::read(&[0, 1, 0, wait_us, 3_600_000_000, 1], 1).unwrap()
    }

    #[test]
    fn remembered_denials_of_the_vectors() {
        let mut told = 0;
        for sequence in crate::vectors::vectors("near", "sequences", crate::vectors::all) {
            let most = Duration::from_micros(sequence["most_us"].as_u64().unwrap());
            let memory = DenialMemory::new(most, 100).unwrap();
            let mut stepped: Vec<(i64, i64)> = vec![];
            for step in sequence["steps"].as_array().unwrap() {
                let at = |micros: i64| {
                    let wall: i64 = stepped.iter().filter(|(when, _)| *when <= micros).map(|(_, by)| by).sum();
                    Moment { nanos: micros * 1000 + 1, wall: (micros + wall) * 1000 }
                };
                let now = at(step["at_us"].as_i64().unwrap());
                let call = |name: &str| {
                    let call = step.get(name)?;
                    let limit: Limit = call["limit"].as_str().unwrap().parse().unwrap();
                    Some((call["key"].as_str().unwrap().as_bytes(), limit, call["cost"].as_i64().unwrap()))
                };
                let what = format!("{}: {step}", sequence["name"]);
                if let Some((key, limit, cost)) = call("denied") {
                    let reply: Vec<i64> = serde_json::from_value(step["reply"].clone()).unwrap();
                    let denied = Decision::read(&reply, 1).unwrap();
                    let sent = at(step["sent_us"].as_i64().unwrap());
                    memory.remember(key, &limit, cost as u64, denied, (sent, now));
                } else if let Some((key, limit, cost)) = call("asked") {
                    let found = u64::try_from(cost).ok().filter(|cost| *cost > 0);
                    let found = found.and_then(|cost| memory.find(key, &limit, cost, || now));
                    let expected: Option<Vec<i64>> = serde_json::from_value(step["told"].clone()).unwrap();
                    told += usize::from(expected.is_some());
                    let expected =
                        expected.map(|six| Decision { remembered: true, ..Decision::read(&six, 1).unwrap() });
                    assert_eq!(found, expected, "{what}");
                } else if let Some(key) = step["given_back"].as_str() {
                    memory.forget(key.as_bytes(), now);
                } else {
                    stepped.push((step["at_us"].as_i64().unwrap(), step["wall_steps_us"].as_i64().expect(&what)));
                }
            }
        }
        assert!(told >= 10);
    }

    #[test]
    fn a_memory_is_bounded() {
        let memory = DenialMemory::new(Duration::from_secs(60), 101).unwrap();
        let limit = crate::fixed_window(1, Duration::from_secs(3600)).unwrap();
        let key = |number: usize| format!("penstock:api:{{{number}}}:w3600000000").into_bytes();
        let known = |number| memory.find(&key(number), &limit, 1, Moment::now).is_some();
        thread::scope(|scope| {
            for part in 0..8 {
                let (memory, limit, known) = (&memory, &limit, &known);
                scope.spawn(move || {
                    for number in (part..10_000).step_by(8) {
                        let now = Moment::now();
                        memory.remember(&key(number), limit, 1, denial(3_600_000_000), (now, now));
                        known(number / 2);
                    }
                });
            }
        });
        let known = (0..10_000).filter(|number| known(*number)).count();
        assert!(memory.0.pairs.len() == 50 && (90..=100).contains(&known), "{known}");
        let (long, now) = ([b'k'; LONGEST_KEY + 1], Moment::now());
        memory.remember(&long, &limit, 1, denial(3_600_000_000), (now, now));
        assert_eq!(memory.find(&long, &limit, 1, || now), None);
        let says = |wrong: Result<DenialMemory, ArgumentError>| -> String { format!("{}", wrong.unwrap_err()) };
        assert_eq!(says(DenialMemory::new(Duration::ZERO, 2)), "at_most must be from 1 microsecond to 1 minute: 0ns");
        assert_eq!(says(DenialMemory::new(Duration::from_secs(1), 1)), "entries must be from 2 to 10000000: 1");
    }
}
