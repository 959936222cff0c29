//! Runs on servers: a server, a cluster, and proxies that lose answers.

use penstock_redis::{
    fixed_window, leaky_bucket, token_bucket, ArgumentError, CallId, Choice, CircuitBreaker, EntryCost, EntryLimit,
    Error, EventKind, FailureKind, Reservation, ReservationAnswer, Reservations, ReserveCall, SettleResult, Settlement,
    RESERVE, SCRIPTS, SETTLE,
};
use std::sync::mpsc;
use std::time::Duration;

mod callers;
mod clients;
mod servers;
#[path = "../examples/tokens.rs"]
mod tokens;
mod vectors;

use callers::{blocking, reconnecting, url, Caller, NAMES};
use clients::asked;
use servers::{alone, random, servers_do, setting, HOUR, PATIENCE, PREFIX};

/// Lets the server go on, also after a failed assertion.
struct Stopped;

impl Stopped {
    fn now() -> Self {
        servers_do(&["stop"], "");
        Stopped
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        servers_do(&["cont"], "");
    }
}

impl Caller {
    async fn ask(&mut self, call: &ReserveCall) -> Result<Reservation, Error> {
        match self {
            Caller::Connection(sender) => call.query(sender.as_mut()),
            Caller::Multiplexed(sender) => call.query_async(sender).await,
            Caller::Reconnecting(sender) => call.query_async(sender).await,
            Caller::Cluster(sender) => call.query(sender),
            Caller::AsyncCluster(sender) => call.query_async(sender).await,
        }
    }

    async fn reserve(&mut self, llm: &Reservations, group: &str, entries: &[EntryCost]) -> Reservation {
        self.ask(&llm.reserve(group, entries).unwrap()).await.unwrap()
    }

    async fn tell(&mut self, settlement: Settlement<'_>) -> Result<SettleResult, Error> {
        match self {
            Caller::Connection(sender) => settlement.query(sender.as_mut()),
            Caller::Multiplexed(sender) => settlement.query_async(sender).await,
            Caller::Reconnecting(sender) => settlement.query_async(sender).await,
            Caller::Cluster(sender) => settlement.query(sender),
            Caller::AsyncCluster(sender) => settlement.query_async(sender).await,
        }
    }
}

fn reservations(keep: Duration) -> Reservations {
    Reservations::new("llm", keep).unwrap().with_prefix(&PREFIX).unwrap().with_timeout(keep.min(PATIENCE)).unwrap()
}

fn budget() -> EntryLimit {
    EntryLimit::new("tpm", fixed_window(1000, HOUR).unwrap()).unwrap()
}

fn places() -> EntryLimit {
    EntryLimit::concurrency("in-flight", 2).unwrap()
}

/// Whether a call is allowed, and the remaining and held units of its entries.
fn left(call: &Reservation) -> String {
    let usages = call.answer().usages.iter().map(|usage| format!(" {}/{}", usage.remaining, usage.held));
    format!("{}{}", call.allowed(), usages.collect::<String>())
}

#[test]
fn the_vectors_of_reservations() {
    let Some(_alone) = alone() else { return };
    let mut connection = blocking("REDIS");
    let texts = |list: &serde_json::Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|each| each.as_str().unwrap().to_string()).collect()
    };
    let scripts: Vec<_> = SCRIPTS.iter().copied().chain([&RESERVE, &SETTLE]).collect();
    for sequence in vectors::vectors("reservation", "sequences", vectors::all) {
        let steps = sequence["steps"].as_array().unwrap();
        for step in steps {
            redis::cmd("DEL").arg(texts(&step["keys"])).exec(&mut connection).unwrap();
        }
        for (at, step) in steps.iter().enumerate() {
            for (key, state) in step["before"].as_object().into_iter().flatten() {
                redis::cmd("DEL").arg(key).exec(&mut connection).unwrap();
                let hex = state["hex"].as_str().unwrap_or_default();
                let bytes: Vec<u8> =
                    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect();
                if let Some(value) =
                    state["value"].as_str().map(str::as_bytes).or(state["hex"].as_str().map(|_| &bytes[..]))
                {
                    redis::cmd("SET").arg(key).arg(value).exec(&mut connection).unwrap();
                }
            }
            let script = scripts.iter().find(|script| script.name == step["script"]).unwrap();
            let keys = texts(&step["keys"]);
            let mut call = redis::cmd("EVAL");
            call.arg(script.source).arg(keys.len()).arg(&keys).arg(texts(&step["args"]));
            let got: redis::RedisResult<Vec<i64>> = call.query(&mut connection);
            let name = format!("{} {at}: {got:?}", sequence["name"]);
            match step["error"].as_str() {
                Some(error) => {
                    assert!(got.unwrap_err().to_string().contains(&format!("{}: {error} ", script.name)), "{name}")
                }
                None => assert_eq!(serde_json::json!(got.unwrap()), step["reply"], "{name}"),
            }
        }
    }
}

#[tokio::test]
async fn all_that_a_reservation_does() {
    let Some(_alone) = alone() else { return };
    for name in NAMES {
        for functions in [false, true] {
            if functions && setting("FUNCTIONS") != "yes" {
                continue;
            }
            let (events, heard) = mpsc::channel();
            let mut caller = Caller::new(name, "REDIS").await;
            let mut llm = reservations(HOUR).on_event(move |event| events.send(event.kind).unwrap());
            if functions {
                caller.load().await;
                llm = llm.with_functions();
            } else {
                servers_do(&["flush"], "");
            }
            let (group, user) = (random(), "a/{b}");
            let rate = EntryLimit::new("rpm", token_bucket(10, 1, HOUR).unwrap()).unwrap();
            let own = budget().reserve(400).unwrap().within(user).unwrap();
            let all = budget().reserve(400).unwrap();
            let place = places().reserve(1).unwrap();
            let entries = [rate.charge(1).unwrap(), own.clone(), all, place.clone()];
            let call = caller.reserve(&llm, &group, &entries).await;
            assert_eq!(left(&call), "true 9/0 600/400 600/400 1/1", "{name}");
            assert_eq!(call.answer().retry_after(), Some(Duration::ZERO));
            assert_eq!(caller.tell(call.renew(100).unwrap()).await.unwrap(), SettleResult::Settled);
            let second = caller.reserve(&llm, &group, &[own.clone(), place.clone()]).await;
            assert_eq!(left(&second), "true 200/700 0/2");
            let denied = caller.reserve(&llm, &group, &[budget().reserve(1).unwrap(), place.clone()]).await;
            assert_eq!(left(&denied), "false 600/300 0/2");
            assert_eq!(denied.answer().denying, Some(1));
            assert!(denied.answer().retry_after().unwrap() > Duration::from_secs(60));
            assert!(denied.answer().ask_again_after().unwrap() <= Duration::from_millis(250));
            assert_eq!(caller.tell(denied.settle(1).unwrap()).await.unwrap(), SettleResult::NothingHeld);
            let other = budget().reserve(5).unwrap();
            for wrong in [&[(&other, 1)][..], &[(&own, 1), (&own, 1)], &[(&place, 1)]] {
                let error = call.settle_entries(wrong).unwrap_err().to_string();
                assert!(error.starts_with("totals must name entries of this call"), "{error}");
            }
            assert_eq!(
                call.settle(1_000_000_000_001).unwrap_err().to_string(),
                "total must be from 0 to 1000000000000: 1000000000001"
            );
            let settled = caller.tell(call.settle_entries(&[(&own, 150)]).unwrap()).await;
            assert_eq!(settled.unwrap(), SettleResult::Settled);
            assert_eq!(caller.tell(call.settle(1).unwrap()).await.unwrap(), SettleResult::NothingHeld);
            assert_eq!(caller.tell(call.close()).await.unwrap(), SettleResult::NothingHeld);
            assert_eq!(caller.tell(second.cancel()).await.unwrap(), SettleResult::Settled);
            let debits = [budget().debit(10).unwrap().within(user).unwrap(), budget().debit(10).unwrap(), place];
            let third = caller.reserve(&llm, &group, &debits).await;
            assert_eq!(left(&third), "true 840/0 590/0 1/1");
            assert_eq!(caller.tell(third.close()).await.unwrap(), SettleResult::Settled);
            let never = caller.reserve(&llm, &group, &[budget().reserve(1001).unwrap()]).await;
            assert_eq!((never.answer().retry_after(), never.answer().ask_again_after()), (None, None));
            drop(caller.reserve(&llm, &group, &[budget().reserve(1).unwrap()]).await);
            drop((call, second, denied, third));
            use EventKind::*;
            let told: Vec<_> = heard.try_iter().collect();
            assert_eq!(
                told,
                [Reserved, Renewed, Reserved, Denied, Settled, Cancelled, Reserved, Settled, Denied, Reserved, Dropped]
            );
        }
    }
}

#[tokio::test]
async fn to_close_settles_the_estimates_and_to_drop_does_nothing() {
    let Some(_alone) = alone() else { return };
    let (mut caller, llm, group) = (Caller::new("Connection", "REDIS").await, reservations(HOUR), random());
    let entries = [budget().reserve(400).unwrap(), places().reserve(1).unwrap()];
    let call = caller.reserve(&llm, &group, &entries).await;
    assert_eq!(caller.tell(call.close()).await.unwrap(), SettleResult::Settled);
    drop(caller.reserve(&llm, &group, &entries).await);
    let after = caller.reserve(&llm, &group, &[budget().debit(1).unwrap(), places().reserve(1).unwrap()]).await;
    assert_eq!(left(&after), "true 199/400 0/2");
}

#[tokio::test]
async fn an_id_finds_its_reservation() {
    let Some(_alone) = alone() else { return };
    let (mut caller, llm, group) = (Caller::new("Connection", "REDIS").await, reservations(HOUR), random());
    let id = CallId::random();
    let call = |units| llm.reserve_with_id(id.clone(), &group, &[budget().reserve(units).unwrap()]).unwrap();
    let first = caller.ask(&call(400)).await.unwrap();
    let again = caller.ask(&call(400)).await.unwrap();
    assert_eq!(left(&again), "true 600/400");
    assert!(!first.answer().repeated && again.answer().repeated);
    assert!(matches!(caller.ask(&call(401)).await, Err(Error::Misconfigured(_))));
    assert_eq!(caller.tell(first.settle(300).unwrap()).await.unwrap(), SettleResult::Settled);
    assert_eq!(caller.tell(again.settle(200).unwrap()).await.unwrap(), SettleResult::Settled);
    assert_eq!(left(&caller.reserve(&llm, &group, &[budget().debit(1).unwrap()]).await), "true 699/0");
    assert!(matches!(caller.ask(&call(400)).await, Err(Error::Misconfigured(_))));
}

#[tokio::test]
async fn an_answer_that_is_lost_once() {
    let Some(_alone) = alone() else { return };
    let once = EntryLimit::new("once", fixed_window(1000, HOUR).unwrap()).unwrap();
    // A `Connection` and a `MultiplexedConnection` stay broken after a failure.
    for name in &NAMES[2..] {
        servers_do(&["load"], RESERVE.source);
        servers_do(&["load"], SETTLE.source);
        let (mut caller, llm, group) = (Caller::with(name, "PROXY", PATIENCE).await, reservations(HOUR), random());
        // Connects.
        let _ = caller.reserve(&llm, &group, &[budget().debit(1).unwrap()]).await;
        servers_do(&["lose"], "");
        let call = caller.reserve(&llm, &group, &[once.reserve(400).unwrap()]).await;
        assert_eq!((left(&call).as_str(), call.answer().repeated), ("true 600/400", true), "{name}");
        servers_do(&["lose"], "");
        assert_eq!(caller.tell(call.settle(300).unwrap()).await.unwrap(), SettleResult::Settled, "{name}");
        assert_eq!(left(&caller.reserve(&llm, &group, &[once.debit(1).unwrap()]).await), "true 699/0", "{name}");
    }
}

#[tokio::test]
async fn too_late_to_settle() {
    let Some(_alone) = alone() else { return };
    let (mut caller, group) = (Caller::new("Connection", "REDIS").await, random());
    let llm = reservations(Duration::from_secs(3));
    let call = caller.reserve(&llm, &group, &[budget().reserve(400).unwrap(), places().reserve(1).unwrap()]).await;
    tokio::time::sleep(Duration::from_millis(3500)).await;
    assert_eq!(caller.tell(call.settle(1).unwrap()).await.unwrap(), SettleResult::RanOut);
    assert_eq!(caller.tell(call.settle(1).unwrap()).await.unwrap(), SettleResult::NothingHeld);
    let after = caller.reserve(&llm, &group, &[budget().debit(1).unwrap(), places().reserve(1).unwrap()]).await;
    assert_eq!(left(&after), "true 599/0 1/1");
}

#[tokio::test]
async fn without_a_server() {
    let Some(_alone) = alone() else { return };
    let soon = Duration::from_millis(300);
    let sender = asked(reconnecting(&url("REDIS"), PATIENCE)).await;
    let (mut caller, group) = (Caller::Reconnecting(sender), random());
    let entries = [budget().reserve(1).unwrap(), places().reserve(1).unwrap()];
    let short = reservations(HOUR).with_timeout(soon).unwrap();
    let lenient = short.clone().on_unavailable(Choice::Allow);
    let held = caller.reserve(&reservations(HOUR), &random(), &entries).await;
    let mut begun = Vec::new();
    for llm in [&short, &lenient] {
        // A call that is late on a machine that stalls holds nothing that can be settled.
        begun.push(loop {
            let call = caller.ask(&llm.reserve_with_id(CallId::random(), random(), &entries).unwrap()).await.unwrap();
            if call.answer().enforced {
                break call;
            }
        });
    }
    let (soft, strict) = (begun.pop().unwrap(), begun.pop().unwrap());
    {
        let _stopped = Stopped::now();
        assert!(matches!(caller.ask(&short.reserve(&group, &entries).unwrap()).await, Err(Error::MaybeCharged(_))));
        for (choice, allowed, wait) in [(Choice::Allow, true, Duration::ZERO), (Choice::Deny, false, soon)] {
            let llm = short.clone().on_unavailable(choice);
            let call = caller.reserve(&llm, &group, &entries).await;
            assert_eq!(left(&call), format!("{allowed} 0/0 0/0"));
            let ReservationAnswer { enforced, denying, usages, .. } = call.answer();
            assert_eq!((*enforced, *denying, usages[0].limit, usages[1].limit), (false, None, 1000, 2));
            assert_eq!(call.answer().retry_after(), Some(wait));
            assert_eq!(caller.tell(call.settle(1).unwrap()).await.unwrap(), SettleResult::NothingHeld);
        }
        let error = caller.tell(strict.settle(1).unwrap()).await.unwrap_err();
        assert!(error.is_outage() && !error.may_be_charged(), "{error}");
        assert_eq!(caller.tell(soft.settle(1).unwrap()).await.unwrap(), SettleResult::Undecided);
    }
    assert_eq!(caller.tell(held.settle(1).unwrap()).await.unwrap(), SettleResult::Settled);
}

#[tokio::test]
async fn a_server_that_is_full() {
    let Some(_alone) = alone() else { return };
    let mut admin = blocking("REDIS");
    let mut memory = |bytes: &str| redis::cmd("CONFIG").arg(&["SET", "maxmemory", bytes]).exec(&mut admin).unwrap();
    for name in ["Connection", "MultiplexedConnection", "ReconnectingSender"] {
        let (mut caller, group) = (Caller::new(name, "REDIS").await, random());
        let entries = [budget().reserve(400).unwrap(), places().reserve(1).unwrap()];
        let by_default = reservations(HOUR).on_unavailable(Choice::Allow);
        let fails = by_default.clone().on_overload(Choice::Fail);
        let allows = reservations(HOUR).on_overload(Choice::Allow);
        let held = [caller.reserve(&fails, &group, &entries).await, caller.reserve(&allows, &group, &entries).await];
        memory("1");
        let failed = caller.ask(&fails.reserve(random(), &entries).unwrap()).await;
        let chosen = [
            caller.reserve(&by_default, &random(), &entries).await,
            caller.reserve(&allows, &random(), &entries).await,
        ];
        // A settlement frees more than it takes, so it runs in a full memory.
        for call in &held {
            assert_eq!(caller.tell(call.settle(100).unwrap()).await.unwrap(), SettleResult::Settled);
        }
        memory("0");
        assert!(matches!(failed, Err(Error::Overloaded(_))), "{failed:?}");
        assert_eq!(chosen.each_ref().map(left), ["false 0/0 0/0", "true 0/0 0/0"]);
        for call in &chosen {
            assert!(!call.answer().enforced);
            assert_eq!(caller.tell(call.settle(1).unwrap()).await.unwrap(), SettleResult::NothingHeld);
        }
        assert_eq!(left(&caller.reserve(&fails, &group, &[budget().debit(1).unwrap()]).await), "true 799/0", "{name}");
    }
}

#[tokio::test]
async fn a_server_that_is_full_after_a_lost_answer() {
    let Some(_alone) = alone() else { return };
    servers_do(&["load"], RESERVE.source);
    let mut admin = blocking("REDIS");
    let mut memory = |bytes: &str| redis::cmd("CONFIG").arg(&["SET", "maxmemory", bytes]).exec(&mut admin).unwrap();
    let (mut sender, llm, group) =
        (reconnecting(&url("PROXY"), PATIENCE), reservations(HOUR).on_overload(Choice::Fail), random());
    let once = EntryLimit::new("once", fixed_window(1000, HOUR).unwrap()).unwrap();
    // Connects.
    let _ = llm.reserve(&group, &[budget().debit(1).unwrap()]).unwrap().query_async(&mut sender).await.unwrap();
    memory("1");
    servers_do(&["lose"], "");
    let lost = llm.reserve(&group, &[once.reserve(1).unwrap()]).unwrap().query_async(&mut sender).await;
    memory("0");
    let error = lost.unwrap_err();
    assert!(matches!(error, Error::Repeated(_)) && error.may_be_charged(), "{error:?}");
    assert_eq!(error.kind(), FailureKind::Overloaded, "{error:?}");
    assert!(error.to_string().starts_with("an earlier attempt had no answer, so the call may have been charged: the"));
}

#[tokio::test]
async fn f1_reservations_of_a_server_that_does_not_answer() {
    let Some(_alone) = alone() else { return };
    let breaker = CircuitBreaker::new(HOUR).unwrap();
    let patient = reservations(HOUR).circuit_breaker(&breaker).with_timeout(Duration::from_secs(1)).unwrap();
    let (fails, entries) =
        (patient.clone().with_timeout(Duration::from_millis(500)).unwrap(), [budget().reserve(1).unwrap()]);
    let allows = patient.clone().on_unavailable(Choice::Allow);
    let mut sender = asked(reconnecting(&url("REDIS"), PATIENCE)).await;
    let held = loop {
        if let Ok(held) = patient.reserve(random(), &entries).unwrap().query_async(&mut sender).await {
            break held;
        }
    };
    {
        let _stopped = Stopped::now();
        while !breaker.is_open() {
            let error = fails.reserve(random(), &entries).unwrap().query_async(&mut sender).await.unwrap_err();
            assert!(error.is_outage(), "{error}");
        }
        let kept = fails.reserve(random(), &entries).unwrap().query_async(&mut sender).await.unwrap_err();
        assert!(kept.is_outage() && !kept.may_be_charged(), "{kept}");
        assert!(kept.to_string().contains("the circuit is open"), "{kept}");
        let call = allows.reserve(random(), &entries).unwrap().query_async(&mut sender).await.unwrap();
        assert!(call.allowed() && !call.answer().enforced);
        let sent = held.settle(1).unwrap().query_async(&mut sender).await.unwrap_err();
        assert!(sent.is_outage() && !sent.to_string().contains("the circuit is open"), "{sent}");
    }
    while held.settle(1).unwrap().query_async(&mut sender).await.is_err() {}
    assert!(breaker.is_open());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_stands_still_opens_nothing() {
    let Some(_alone) = alone() else { return };
    let sender = reconnecting(&url("REDIS"), PATIENCE);
    let short = reservations(HOUR).with_timeout(Duration::from_millis(400)).unwrap().on_unavailable(Choice::Allow);
    let (entries, group) = ([budget().reserve(1).unwrap()], random());
    while reservations(HOUR).reserve(&*group, &entries).unwrap().query_async(&mut sender.clone()).await.is_err() {}
    let mut left = 3;
    for _ in 0..5 {
        let calls = (0..50).map(|_| {
            let (call, mut sender) = (short.reserve(&*group, &entries).unwrap(), sender.clone());
            tokio::spawn(async move { call.query_async(&mut sender).await.unwrap() })
        });
        let calls: Vec<_> = calls.collect();
        let still = format!("kill -STOP {0}; sleep 0.8; kill -CONT {0}", std::process::id());
        assert!(std::process::Command::new("sh").args(["-c", &still]).status().unwrap().success());
        let mut opened = 0;
        for call in calls {
            let call = call.await.unwrap();
            opened += u32::from(!call.answer().enforced && call.allowed());
        }
        // A server that does not run for P makes an outage.
        left -= u32::from(opened > 0);
        assert!(left > 0, "{opened}");
    }
}

#[tokio::test]
async fn a_wrong_password_opens_nothing() {
    let Some(_alone) = alone() else { return };
    let url = format!("redis://nobody:wrong@127.0.0.1:{}/", setting("REDIS"));
    let mut sender = reconnecting(&url, PATIENCE);
    let llm = reservations(HOUR).on_unavailable(Choice::Allow).on_overload(Choice::Allow);
    let call = llm.reserve(random(), &[budget().reserve(1).unwrap()]).unwrap();
    assert!(matches!(call.query_async(&mut sender).await, Err(Error::Misconfigured(_))));
}

#[tokio::test]
async fn tryagain_is_sent_again() {
    let Some(_alone) = alone() else { return };
    for name in &NAMES[3..] {
        let (mut caller, llm, group) = (Caller::new(name, "CLUSTER").await, reservations(HOUR), random());
        let entries = [budget().reserve(1).unwrap(), places().reserve(1).unwrap()];
        let call = caller.reserve(&llm, &group, &entries).await;
        assert_eq!(caller.tell(call.close()).await.unwrap(), SettleResult::Settled);
        let key = format!("x:{{{group}}}");
        servers_do(&["ask", &key], "");
        let short = llm.clone().with_timeout(Duration::from_millis(500)).unwrap();
        // On a machine that stalls an attempt may have no answer in time: an outage, or an overload, which is denied.
        loop {
            match caller.ask(&short.reserve(&group, &entries).unwrap()).await {
                Ok(call) => assert!(!call.allowed(), "{name}: {call:?}"),
                Err(error) => {
                    assert!(error.is_outage(), "{name}: {error:?}");
                    if format!("{error:?}").to_uppercase().contains("TRYAGAIN") {
                        break;
                    }
                }
            }
        }
        let settles = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            servers_do(&["settle", &key], "");
        });
        let call = caller.reserve(&llm, &group, &entries).await;
        assert_eq!(left(&call), "true 999/1 1/1", "{name}");
        settles.join().unwrap();
    }
}

#[tokio::test]
async fn it_is_kept_alive() {
    let Some(_alone) = alone() else { return };
    let (events, heard) = mpsc::channel();
    let llm = reservations(Duration::from_secs(6)).on_event(move |event| events.send(event.kind).unwrap());
    let mut sender = reconnecting(&url("REDIS"), PATIENCE);
    let mut other = sender.clone();
    let call = llm.reserve(random(), &[places().reserve(1).unwrap()]).unwrap().query_async(&mut sender).await.unwrap();
    let work = async {
        let mut told = Vec::new();
        while told.len() < 3 {
            tokio::time::sleep(Duration::from_millis(20)).await;
            told.extend(heard.try_iter());
        }
        told
    };
    tokio::select! {
        told = work => assert_eq!(told, [EventKind::Reserved, EventKind::Renewed, EventKind::Renewed]),
        () = call.keep_alive(&mut other) => panic!("it ended"),
    }
    assert_eq!(call.close().query_async(&mut sender).await.unwrap(), SettleResult::Settled);
    // It ends with the reservation.
    call.keep_alive(&mut other).await;
}

#[test]
fn what_a_call_refuses() {
    let llm = reservations(HOUR);
    let refused = |made: Result<String, ArgumentError>, words: &str| {
        let error = made.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let entries = |list: &[EntryCost]| llm.reserve("g", list).map(|_| String::new());
    let (bucket, leaky) = (budget(), EntryLimit::new("rpm", leaky_bucket(9, 9, HOUR).unwrap()).unwrap());
    let one = bucket.reserve(1).unwrap();
    let many: Vec<_> = (0..9).map(|at| one.clone().within(at.to_string()).unwrap()).collect();
    refused(entries(&[]), "entries must be 1 to 8: 0");
    refused(entries(&many), "entries must be 1 to 8: 9");
    refused(entries(&[one.clone(), bucket.debit(2).unwrap()]), "entry 2 has the key of an earlier entry");
    refused(
        llm.reserve("", &[one.clone()]).map(|_| String::new()),
        "group: subject must be UTF-8 of at least one byte",
    );
    refused(one.within("").map(|_| String::new()), "within: subject must be UTF-8");
    let text = |entry: Result<EntryCost, ArgumentError>| entry.map(|_| String::new());
    refused(text(bucket.reserve(0)), "units must be from 1 to 1000000000000: 0");
    refused(text(places().charge(1)), "limit does not support charge: concurrency:2");
    refused(text(places().debit(1)), "limit does not support debit: concurrency:2");
    refused(text(leaky.reserve(1)), "limit does not support reserve: leaky-bucket:9/1h");
    let limit = |limit: Result<EntryLimit, ArgumentError>| limit.map(|limit| limit.to_string());
    refused(limit(EntryLimit::concurrency("x", 0)), "limit must be from 1 to 1000000000000: 0");
    refused(limit(EntryLimit::parse("x", "concurrency:+1")), "such as concurrency:10");
    refused(limit(EntryLimit::parse("x", "concurrency:0")), "limit must be from 1");
    refused(limit(EntryLimit::parse("x", "concurrenc:1")), "must begin with one of");
    refused(limit(EntryLimit::concurrency("x y", 1)), "policy must be");
    refused(CallId::new("a b").map(|id| id.to_string()), "id must be");
    refused(Reservations::new("x", Duration::from_micros(1)).map(|_| String::new()), "keep must be from 1 ms");
    let brief = Reservations::new("x", Duration::from_millis(300)).unwrap();
    refused(
        brief.with_timeout(Duration::from_secs(1)).map(|_| String::new()),
        "timeout must be from 1 ms to the keep of 300ms",
    );
    refused(Reservations::new("x", 367 * 24 * HOUR).map(|_| String::new()), "keep must be from 1 ms");
    for text in ["concurrency:10", "token-bucket:100/1m,burst=20"] {
        assert_eq!(EntryLimit::parse("x", text).unwrap().to_string(), text);
    }
    let id = CallId::new("id").unwrap();
    let words =
        llm.reserve_with_id(id, "g", &[leaky.charge(1).unwrap().within("a/{b").unwrap(), places().reserve(1).unwrap()]);
    let words: Vec<_> = words.unwrap().words().into_iter().map(|word| String::from_utf8(word).unwrap()).collect();
    let keys = [
        "3".to_string(),
        format!("{}:rpm:{{g}}/a%2F%7Bb:{}", *PREFIX, leaky_bucket(9, 9, HOUR).unwrap().marker()),
        format!("{}:in-flight:{{g}}:rc", *PREFIX),
        format!("{}:{{g}}:id", *PREFIX),
    ];
    assert_eq!(words[2..6], keys);
    assert_eq!(words[6..].join(" "), "3600000000 0 charge leaky-bucket 1 1 9 9 3600000000 reserve concurrency 1 1 2");
}

#[test]
fn an_unreadable_reply_allows_nothing() {
    let call = reservations(HOUR).reserve("g", &[places().reserve(1).unwrap()]).unwrap();
    let good = [1, 0, 0, 0, 10, 9, 1, 5, 1];
    assert!(call.read(&good).unwrap().allowed());
    let wrong: [(usize, &[i64]); 9] = [
        (0, &[2, -1, 0]),
        (1, &[-1]),
        (2, &[1, 2, -1]),
        (3, &[2, -1]),
        (4, &[0]),
        (5, &[-1]),
        (6, &[-1]),
        (7, &[-1]),
        (8, &[0, 2]),
    ];
    for (at, values) in wrong {
        for value in values {
            let mut reply = good;
            reply[at] = *value;
            assert!(call.read(&reply).is_err(), "{reply:?}");
        }
    }
    assert!(call.read(&good[1..]).is_err());
    let held = call.read(&good).unwrap();
    for reply in [&[][..], &[1], &[2, 0, 0, 0, 0, 0]] {
        assert!(held.settle(1).unwrap().read(reply).is_err());
    }
}

#[tokio::test]
async fn the_readmes_reservations() {
    let Some(_alone) = alone() else { return };
    let readme = std::fs::read_to_string("README.md").unwrap();
    assert!(readme.contains(&format!("```rust\n{}```", include_str!("../examples/tokens.rs"))));
    let (limits, tenant) = (tokens::limits().unwrap(), random());
    let mut sender = reconnecting(&url("REDIS"), PATIENCE);
    let mut served = 0;
    for _ in 0..5 {
        let answer =
            tokens::ask(&limits, &mut sender, (&tenant, "user:42"), async || Some(("text".to_string(), 30_000))).await;
        served += usize::from(answer.unwrap().is_some());
    }
    assert!((3..5).contains(&served), "{served}");
    let failed = tokens::ask(&limits, &mut sender, (&random(), "user:42"), async || None).await;
    assert_eq!(failed.unwrap(), None);
    let mut admin = blocking("REDIS");
    let mut memory = |bytes: &str| redis::cmd("CONFIG").arg(&["SET", "maxmemory", bytes]).exec(&mut admin).unwrap();
    memory("1");
    let full = tokens::ask(&limits, &mut sender, (&random(), "user:42"), async || None).await;
    memory("0");
    assert!(full.is_err(), "what is full has denied nothing: {full:?}");
}
