//! Calls of one subject that share trips, on a real server: rules C1 to C6.

use penstock_redis::{
    fixed_window, key, leaky_bucket, load_functions_async, token_bucket, Choice, CircuitBreaker, Decision,
    DenialMemory, Error, Limit, RateLimiter, ReconnectingSender,
};
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

mod clients;
mod servers;

use clients::{admin, allowing, asked, at_once, connection, healthy, is_open, told};
use servers::{alone, random, servers_do, setting, HOUR, PATIENCE, PREFIX};

const DAY: Duration = Duration::from_secs(86_400);

fn limiter(limit: &Limit) -> RateLimiter {
    let limiter = RateLimiter::new("trips", limit.clone()).unwrap().with_prefix(&PREFIX).unwrap();
    limiter.with_timeout(PATIENCE)
}

fn window() -> Limit {
    fixed_window(1_000_000, DAY).unwrap()
}

/// Tasks that make calls one after another, all at once.
async fn together(
    limiter: &RateLimiter,
    redis: &ReconnectingSender,
    subject: &str,
    tasks: u64,
    calls: u64,
    cost: u64,
) -> Vec<Decision> {
    let mut begun = JoinSet::new();
    for _ in 0..tasks {
        let (limiter, mut redis, subject) = (limiter.clone(), redis.clone(), subject.to_string());
        begun.spawn(async move {
            let mut decisions = vec![];
            for _ in 0..calls {
                decisions.push(limiter.acquire_n(&mut redis, &subject, cost).await.unwrap());
            }
            decisions
        });
    }
    begun.join_all().await.into_iter().flatten().collect()
}

/// What allowed calls have left, in order.
fn remaining(decisions: &[Decision]) -> Vec<u64> {
    let mut all: Vec<_> = decisions.iter().filter(|one| one.allowed()).map(|one| one.remaining).collect();
    all.sort_unstable();
    all
}

/// The commands that run scripts, since the server began.
fn commands() -> u64 {
    let stats: String = redis::cmd("INFO").arg("commandstats").query(&mut admin()).unwrap();
    let calls = |line: &str| {
        let (name, rest) = line.strip_prefix("cmdstat_")?.split_once(":calls=")?;
        let calls = rest.split(',').next()?.parse::<u64>().ok()?;
        ["eval", "evalsha", "fcall"].contains(&name).then_some(calls)
    };
    stats.lines().filter_map(calls).sum()
}

fn polled<T>(call: std::pin::Pin<&mut impl Future<Output = T>>) -> Poll<T> {
    call.poll(&mut Context::from_waker(Waker::noop()))
}

#[tokio::test(flavor = "multi_thread")]
async fn c3_each_call_gets_what_it_would_get_alone() {
    let Some(_one) = alone() else { return };
    let mut redis = healthy();
    let limit = token_bucket(400, 1, 30 * DAY).unwrap().and(&token_bucket(10_000, 10_000, 30 * DAY).unwrap()).unwrap();
    for uses_functions in [false, true].into_iter().take(if setting("FUNCTIONS") == "yes" { 2 } else { 1 }) {
        let mut limiter = limiter(&limit);
        if uses_functions {
            load_functions_async(&mut redis).await.unwrap();
            limiter = limiter.with_functions();
        }
        let decisions = together(&limiter, &redis, &random(), 64, 15, 3).await;
        assert_eq!(decisions.len(), 960);
        assert_eq!(remaining(&decisions), (0..133).map(|at| 1 + 3 * at).collect::<Vec<_>>());
        for denied in decisions.iter().filter(|one| !one.allowed()) {
            assert_eq!((denied.limit, denied.remaining, denied.tier, denied.enforced), (400, 1, 1, true));
            let wait = denied.retry_after().unwrap();
            assert!((59 * DAY..=60 * DAY).contains(&wait), "{wait:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c1_trips_are_fewer_and_can_be_switched_off() {
    let Some(_one) = alone() else { return };
    let mut redis = healthy();
    for shares in [true, false] {
        let limiter = limiter(&window()).share_trips(shares);
        assert!(limiter.acquire(&mut redis, "any").await.unwrap().enforced);
        let before = commands();
        let decisions = together(&limiter, &redis, &random(), 64, 50, 1).await;
        let sent = commands() - before;
        assert_eq!(remaining(&decisions), (1_000_000 - 3_200..1_000_000).collect::<Vec<_>>());
        // A check of the server may be among them.
        let is_as_expected = if shares { sent < 3_200 * 40 / 100 } else { (3_200..3_205).contains(&sent) };
        assert!(is_as_expected, "{sent} commands for 3200 calls, {shares}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c6_calls_of_leaky_buckets_are_not_shared() {
    let Some(_one) = alone() else { return };
    let (mut redis, limiter) = (healthy(), limiter(&leaky_bucket(1_000_000, 1_000_000, DAY).unwrap()));
    assert!(limiter.acquire(&mut redis, "any").await.unwrap().enforced);
    let before = commands();
    assert!(together(&limiter, &redis, &random(), 64, 20, 1).await.iter().all(|one| one.allowed()));
    // A check of the server may be among them.
    let sent = commands() - before;
    assert!((1_280..1_285).contains(&sent), "{sent} commands for 1280 calls");
}

#[tokio::test(flavor = "multi_thread")]
async fn c4_a_server_that_forgets_the_script() {
    let Some(_one) = alone() else { return };
    let (mut redis, limiter, who) = (healthy(), limiter(&window()), random());
    let is_over = Arc::new(AtomicBool::new(false));
    let until = is_over.clone();
    let flushing = std::thread::spawn(move || {
        let mut admin = admin();
        while !until.load(SeqCst) {
            told(&mut admin, &["SCRIPT", "FLUSH"]);
        }
    });
    let decisions = together(&limiter, &redis, &who, 32, 20, 1).await;
    is_over.store(true, SeqCst);
    flushing.join().unwrap();
    assert_eq!(remaining(&decisions), (1_000_000 - 640..1_000_000).collect::<Vec<_>>());
    assert_eq!(limiter.peek(&mut redis, &who).await.unwrap().remaining, 1_000_000 - 640);
}

#[tokio::test]
async fn c4_a_trip_that_meets_a_fault_charges_each_call_at_most_once() {
    let Some(_one) = alone() else { return };
    let mut direct = healthy();
    for (fault, units) in servers_do(&["faults"], "").lines().flat_map(|fault| [(fault, 11), (fault, 1_000)]) {
        if fault.ends_with("MOVED") || fault.ends_with("ASK") {
            continue; // A single server.
        }
        let mut redis = connection("", &setting("PROXY"), 0, PATIENCE);
        let (is_late, limit) = (fault.contains("late"), fixed_window(units, HOUR).unwrap());
        let limiter = RateLimiter::new("trips", limit).unwrap().with_prefix(&PREFIX).unwrap().on_overload(Choice::Fail);
        let limiter = limiter.with_timeout(if is_late { Duration::from_secs(1) } else { PATIENCE });
        while limiter.acquire(&mut redis, "any").await.is_err() {}
        servers_do(&["trip", fault], "");
        let (who, outcomes, met) = loop {
            let (who, mut begun) = (random(), JoinSet::new());
            for _ in 0..24 {
                let (limiter, mut redis, who) = (limiter.clone(), redis.clone(), who.clone());
                begun.spawn(async move { limiter.acquire(&mut redis, &who).await });
            }
            let outcomes = begun.join_all().await;
            let met = servers_do(&["tripped"], "");
            if !met.is_empty() {
                break (who, outcomes, met);
            }
        };
        if is_late {
            servers_do(&["release"], "");
        }
        let numbers: Vec<u64> = met.split(' ').map(|number| number.parse().unwrap()).collect();
        // If the connection is cut, redis-rs returns none of the replies that it has read of a pipeline.
        let is_cut = ["second cut", "second lost"].contains(&fault);
        let (maybe, refused) = (if is_cut { numbers[0] } else { numbers[1] }, numbers[2]);
        let failed = outcomes.iter().filter(|one| one.is_err()).count() as u64;
        let charged = outcomes.iter().filter(|one| one.as_ref().is_err_and(Error::may_be_charged)).count() as u64;
        // On the same connection, another trip may meet the fault, too.
        let maybe = if maybe > 0 { maybe.max(charged) } else { 0 };
        assert_eq!((charged, failed), (maybe, maybe + refused), "{fault}: {met}: {outcomes:?}");
        let decisions: Vec<_> = outcomes.into_iter().flatten().collect();
        let (granted, left) = (remaining(&decisions), limiter.peek(&mut direct, &who).await.unwrap().remaining);
        let (told, used) = (granted.len() as u64, units - left);
        assert!(granted.windows(2).all(|two| two[0] < two[1]), "{fault}: {granted:?}");
        assert!((told..=told + maybe).contains(&used), "{fault}: {told} told, {used} used, {maybe} may have been");
        assert!(maybe > 0 || told == units.min(24 - refused), "{fault}: {told} told of {units}");
    }
}

#[tokio::test]
async fn c4_an_error_is_that_of_each_call() {
    let Some(_one) = alone() else { return };
    let (redis, limiter, who) = (healthy(), limiter(&window()), random());
    let key = key(&PREFIX, "trips", &who, &window()).unwrap();
    redis::cmd("LPUSH").arg(key).arg("of another type").exec(&mut admin()).unwrap();
    let mut begun = JoinSet::new();
    for _ in 0..30 {
        let (limiter, mut redis, who) = (limiter.clone(), redis.clone(), who.clone());
        begun.spawn(async move { limiter.acquire(&mut redis, &who).await });
    }
    for outcome in begun.join_all().await {
        assert!(
            matches!(&outcome, Err(Error::Misconfigured(error)) if error.to_string().contains("WRONGTYPE")),
            "{outcome:?}"
        );
    }
}

#[tokio::test]
async fn c5_a_dropped_call_leaves_its_unit_to_the_next() {
    let Some(_one) = alone() else { return };
    let mut redis = asked(healthy()).await;
    for (is_sent, units) in [(false, 100), (true, 100), (true, 1_000)] {
        let (limiter, who) = (limiter(&token_bucket(units, 1, 30 * DAY).unwrap()), random());
        let call = |_| {
            let (call, mut redis) = (limiter.calls().acquire(&who).unwrap(), redis.clone());
            Box::pin(async move { call.query_async(&mut redis).await.unwrap() })
        };
        if is_sent {
            servers_do(&["stop"], "");
        }
        // The first eight are sent alone, and the others wait until they go without their answers, 10 ms later.
        let began = Instant::now();
        let mut calls: Vec<_> = (0..200).map(call).collect();
        assert!(calls.iter_mut().all(|call| polled(call.as_mut()).is_pending()));
        if is_sent {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        calls.drain(50..150);
        let was_late = began.elapsed() >= Duration::from_millis(10);
        if is_sent {
            servers_do(&["cont"], "");
        }
        let calls: Vec<_> = calls.into_iter().map(tokio::spawn).collect();
        let mut decisions = vec![];
        for call in calls {
            decisions.push(call.await.unwrap());
        }
        let told = remaining(&decisions);
        // A trip that went while they began had calls that were dropped.
        if is_sent || was_late {
            // The units of those that were the last of their trip have no next call there.
            assert!(told.len() >= 50 && told.windows(2).all(|two| two[0] < two[1]), "{told:?}");
        } else {
            assert_eq!(told, (0..100).collect::<Vec<_>>());
            // The first eight may reach the server after the others.
            assert!(decisions[8..].windows(2).all(|two| two[0].remaining == two[1].remaining + 1), "{decisions:?}");
        }
        let left = limiter.peek(&mut redis, &who).await.unwrap().remaining;
        // A call that was dropped is charged at most once.
        let is_charged_once = if units == 100 { left == 0 } else { told.len() == 100 && (800..=900).contains(&left) };
        assert!(is_charged_once, "{left} of {units}, {} told", told.len());
    }
}

#[tokio::test]
async fn c5_a_call_that_is_no_longer_polled_holds_nobody_up() {
    let Some(_one) = alone() else { return };
    let (redis, limiter, who) = (healthy(), limiter(&window()), random());
    let call = || {
        let (limiter, mut redis, who) = (limiter.clone(), redis.clone(), who.clone());
        async move { limiter.acquire(&mut redis, &who).await }
    };
    // The ninth waits for the others.
    let mut unpolled: Vec<_> = (0..9).map(|_| Box::pin(call())).collect();
    assert!(unpolled.iter_mut().all(|call| polled(call.as_mut()).is_pending()));
    let mut decisions = together(&limiter, &redis, &who, 20, 5, 1).await;
    for call in unpolled {
        decisions.push(call.await.unwrap());
    }
    assert_eq!(remaining(&decisions), (1_000_000 - 109..1_000_000).collect::<Vec<_>>());
}

#[tokio::test]
async fn c5_a_runtime_that_ends_takes_only_its_trips_along() {
    let Some(_one) = alone() else { return };
    let (mut redis, limiter, who) = (asked(healthy()).await, limiter(&window()), random());
    let call = || {
        let (limiter, mut redis, who) = (limiter.clone(), redis.clone(), who.clone());
        async move { limiter.acquire(&mut redis, &who).await }
    };
    servers_do(&["stop"], "");
    let other = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let first: Vec<_> = (0..11).map(|_| tokio::spawn(call())).collect();
    tokio::task::yield_now().await;
    // They are the last that enter, so the trip is theirs.
    let theirs: Vec<_> = (0..5).map(|_| other.spawn(call())).collect();
    tokio::time::sleep(Duration::from_millis(100)).await;
    other.shutdown_background();
    servers_do(&["cont"], "");
    for call in theirs {
        let _ = tokio::time::timeout(PATIENCE, call).await.expect("a call ends with its runtime");
    }
    for call in first {
        let ended = tokio::time::timeout(PATIENCE, call).await.expect("a trip that is lost ends its calls").unwrap();
        assert!(ended.is_ok() || ended.as_ref().is_err_and(Error::may_be_charged), "{ended:?}");
    }
    assert!(limiter.acquire(&mut redis, &who).await.unwrap().enforced);
}

#[tokio::test]
async fn c1_what_was_learnt_denies_those_who_wait() {
    let Some(_one) = alone() else { return };
    let (mut redis, who) = (healthy(), random());
    let memory = DenialMemory::new(PATIENCE, 100).unwrap();
    let limiter = limiter(&fixed_window(3, HOUR).unwrap()).remember_denials(&memory);
    let decisions = together(&limiter, &redis, &who, 64, 20, 1).await;
    assert_eq!(remaining(&decisions), [0, 1, 2]);
    assert!(limiter.acquire(&mut redis, &who).await.unwrap().remembered);
}

#[tokio::test(flavor = "multi_thread")]
async fn c5_a_stopped_server_opens_each_call_and_heals() {
    let Some(_one) = alone() else { return };
    let redis = asked(healthy()).await;
    let limiter = allowing(100);
    let decided = at_once(&limiter, &redis, 64).await;
    assert!(decided.iter().all(|one| one.as_ref().is_ok_and(|one| one.enforced && one.allowed())), "{decided:?}");
    servers_do(&["stop"], "");
    let stopped = tokio::time::timeout(PATIENCE, at_once(&limiter, &redis, 64)).await;
    servers_do(&["cont"], "");
    let stopped = stopped.expect("each call ends");
    assert!(stopped.iter().all(is_open), "{stopped:?}");
    let healed = async { while !limiter.acquire(&mut redis.clone(), "flood").await.unwrap().enforced {} };
    tokio::time::timeout(PATIENCE, healed).await.expect("it heals");
}

#[tokio::test]
async fn f1_a_trip_counts_as_one_call() {
    let Some(_one) = alone() else { return };
    let breaker = CircuitBreaker::new(HOUR).unwrap();
    let limiter = limiter(&window()).circuit_breaker(&breaker).on_unavailable(Choice::Allow);
    let limiter = limiter.with_timeout(Duration::from_millis(300));
    let mut redis = asked(connection("", &setting("PROXY"), 0, PATIENCE)).await;
    servers_do(&["trip", "first late"], "");
    let first = at_once(&limiter, &redis, 64).await;
    servers_do(&["release"], "");
    let undecided = first.iter().filter(|one| one.as_ref().is_ok_and(|one| !one.enforced)).count();
    assert!(undecided >= 5 && !breaker.is_open(), "{first:?}");
    while !limiter.acquire(&mut redis, "one").await.is_ok_and(|one| one.enforced) {}
    servers_do(&["stop"], "");
    for _ in 0..4 {
        assert!(!limiter.acquire(&mut redis, "one").await.unwrap().enforced);
    }
    assert!(!breaker.is_open());
    // Those that go alone end at the deadline of the first.
    at_once(&limiter, &redis, 20).await;
    servers_do(&["cont"], "");
    assert!(breaker.is_open());
}
