//! What each failure is, on a real server.

use penstock_redis::{
    fixed_window, query_all_async, AsyncSender, Choice, CircuitBreaker, Decision, DenialMemory, Error, Failure,
    FailureKind, RateLimiter, ReconnectingSender,
};
use std::io::{Read, Write};
use std::sync::Mutex;
use std::time::Duration;

mod clients;
mod servers;

use clients::{admin, asked, at_once, by_default, connection, healthy, is_open, limiter, told, window};
use servers::{alone, random, servers_do, setting, PATIENCE, PREFIX};

async fn error_of(limiter: &RateLimiter, redis: &mut ReconnectingSender, subject: &str) -> Error {
    limiter.acquire(redis, subject).await.unwrap_err()
}

#[tokio::test]
async fn f1_a_server_that_does_not_answer_is_left_alone() {
    let Some(_one) = alone() else { return };
    let one = || {
        let window = fixed_window(1, PATIENCE * 60).unwrap();
        RateLimiter::new("f1", window).unwrap().with_prefix(&PREFIX).unwrap().with_timeout(PATIENCE)
    };
    let (long, short) =
        (CircuitBreaker::new(PATIENCE * 60).unwrap(), CircuitBreaker::new(Duration::from_millis(10)).unwrap());
    let (fails, heals) = (one().circuit_breaker(&long), one().circuit_breaker(&short).on_unavailable(Choice::Allow));
    let mut redis = asked(connection("", &setting("REDIS"), 0, Duration::from_millis(100))).await;
    servers_do(&["stop"], "");
    let mut errors = vec![];
    for _ in 0..5 {
        assert!(!long.is_open());
        errors.push(error_of(&fails, &mut redis, "a").await);
        let _ = heals.acquire(&mut redis, "a").await;
    }
    let opened = (long.is_open(), short.is_open());
    // Peeks are sent.
    let peeked = fails.peek(&mut redis, "a").await.unwrap_err();
    servers_do(&["cont"], "");
    assert_eq!(opened, (true, true));
    let is_kept = |error: &Error| error.to_string().contains("the circuit is open");
    assert!(errors.iter().all(|error| error.is_outage() && !is_kept(error)) && !is_kept(&peeked));
    let mut healthy = healthy();
    let kept = error_of(&fails, &mut healthy, "a").await;
    assert!(is_kept(&kept) && kept.is_outage() && !kept.may_be_charged(), "{kept}");
    let both = [fails.calls().acquire("a").unwrap(), fails.calls().peek("a").unwrap()];
    let [kept, peeked] = query_all_async(&both, &mut healthy).await.try_into().unwrap();
    assert!(is_kept(&kept.unwrap_err()) && peeked.unwrap().enforced);
    while short.is_open() {
        let _ = heals.acquire(&mut healthy, "b").await.unwrap();
    }
    for allowed in [true, false] {
        let decided = heals.acquire(&mut healthy, "c").await.unwrap();
        assert_eq!((decided.allowed(), decided.enforced), (allowed, true));
    }
    // A connection of its own, which is not said to be to one server.
    struct Cluster(ReconnectingSender);
    impl AsyncSender for Cluster {
        async fn send(&mut self, commands: &[redis::Cmd]) -> Vec<Result<redis::Value, Failure>> {
            self.0.send(commands).await
        }
        async fn send_to_masters(&mut self, command: &redis::Cmd) -> redis::RedisResult<()> {
            self.0.send_to_masters(command).await
        }
    }
    assert!(fails.acquire(&mut Cluster(healthy), "d").await.unwrap().enforced);
}

#[tokio::test]
async fn every_outcome_is_told() {
    let Some(_one) = alone() else { return };
    let told: &'static Mutex<Vec<String>> = Box::leak(Box::default());
    let listening = |limiter: RateLimiter| {
        limiter.on_outcome(|outcome| {
            let decided = outcome.decision.map(|decision| (decision.allowed(), decision.enforced, decision.remembered));
            let failed = outcome.error.map(Error::is_outage);
            assert!(String::from_utf8_lossy(outcome.key).contains(":{who}:"));
            told.lock().unwrap().push(format!("{} {decided:?} {failed:?}", outcome.policy));
        })
    };
    let memory = DenialMemory::new(PATIENCE, 100).unwrap();
    let one = RateLimiter::new("told", fixed_window(1, PATIENCE * 60).unwrap()).unwrap().with_prefix(&PREFIX).unwrap();
    let limiter = listening(one.with_timeout(PATIENCE)).remember_denials(&memory);
    let mut redis = healthy();
    while told.lock().unwrap().last().is_none_or(|last| last != "told Some((false, true, true)) None") {
        assert!(told.lock().unwrap().len() < 1000);
        let batch = [limiter.calls().acquire("who").unwrap()];
        let decision = query_all_async(&batch, &mut redis).await.remove(0).unwrap();
        assert_eq!(decision.allowed(), told.lock().unwrap().len() == 1);
    }
    let first: Vec<_> = std::mem::take(&mut *told.lock().unwrap());
    assert_eq!(first[..2], ["told Some((true, true, false)) None", "told Some((false, true, false)) None"]);
    let limiter = listening(limiter.on_unavailable(Choice::Allow));
    let mut nobody = connection("", "1", 0, PATIENCE);
    let error = limiter.peek(&mut nobody, "who").await.unwrap_err();
    assert!(error.is_outage());
    assert_eq!(*told.lock().unwrap(), ["told None Some(true)"]);
    let other = RateLimiter::new("other", window()).unwrap().with_timeout(PATIENCE).on_unavailable(Choice::Allow);
    let allowed = listening(other).acquire(&mut nobody, "who").await.unwrap();
    assert!(allowed.allowed());
    assert_eq!(told.lock().unwrap()[1..], ["other Some((true, false, false)) Some(true)"]);
}

#[tokio::test]
async fn a_server_of_another_kind() {
    let web = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = web.local_addr().unwrap().port().to_string();
    std::thread::spawn(move || {
        for mut asked in web.incoming().flatten() {
            // As a server for HTTP does; it does not matter whether the client is still there.
            std::thread::spawn(move || {
                let _ = asked.read(&mut [0; 1024]).and_then(|_| asked.write(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
                // A connection that is closed with unread data is reset, and loses the answer.
                let _ = asked.shutdown(std::net::Shutdown::Write);
                let _ = std::io::copy(&mut asked, &mut std::io::sink());
            });
        }
    });
    let mut redis = connection("", &port, 0, PATIENCE);
    for limiter in [limiter(), limiter().on_unavailable(Choice::Allow).on_overload(Choice::Allow)] {
        let error = error_of(&limiter, &mut redis, "a").await;
        assert!(matches!(error, Error::Unknown(_)) && !error.is_outage(), "{error:?}");
    }
}

#[tokio::test]
async fn the_limiters_time_out_ends_a_call_whatever_the_connections_is() {
    let Some(_one) = alone() else { return };
    let mut endless = asked(connection("", &setting("REDIS"), 0, PATIENCE * 60)).await;
    servers_do(&["stop"], "");
    let hasty = limiter().with_timeout(Duration::from_millis(300));
    let late = tokio::time::timeout(PATIENCE, error_of(&hasty, &mut endless, "a")).await;
    servers_do(&["cont"], "");
    let late = late.expect("it ends at the limiter's time-out");
    assert!(late.is_outage() && late.may_be_charged(), "{late:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_stands_still_opens_nothing() {
    let Some(_one) = alone() else { return };
    let (limiter, redis, subject) = (limiter().on_unavailable(Choice::Allow), healthy(), random());
    // The connection's time-out, and the limiter's.
    let hasty = connection("", &setting("REDIS"), 0, Duration::from_millis(300));
    for (limiter, redis) in [(limiter.clone(), hasty), (limiter.with_timeout(Duration::from_millis(300)), redis)] {
        while limiter.peek(&mut redis.clone(), &subject).await.is_err() {}
        let mut left = 3;
        for _ in 0..5 {
            let calls = (0..50).map(|_| {
                let (call, mut redis) = (limiter.calls().acquire(&subject).unwrap(), redis.clone());
                tokio::spawn(async move { call.query_async(&mut redis).await.unwrap() })
            });
            let calls: Vec<_> = calls.collect();
            let still = format!("kill -STOP {0}; sleep 0.6; kill -CONT {0}", std::process::id());
            assert!(std::process::Command::new("sh").args(["-c", &still]).status().unwrap().success());
            let mut opened = 0;
            for call in calls {
                // A call that was late may be denied as an overload.
                let decision = call.await.unwrap();
                opened += u32::from(!decision.enforced && decision.granted > 0);
            }
            // A server that does not run for P makes an outage.
            left -= u32::from(opened > 0);
            assert!(left > 0, "{opened}");
        }
    }
}

#[tokio::test]
async fn a_password_that_is_changed_while_running() {
    let Some(_one) = alone() else { return };
    let (mut admin, user) = (admin(), random());
    told(&mut admin, &["ACL", "SETUSER", &user, "on", ">one", "~*", "+@all"]);
    let mut redis = connection(&format!("{user}:one@"), &setting("REDIS"), 0, PATIENCE);
    let decision = limiter().acquire(&mut redis, &user).await.unwrap();
    assert!(decision.allowed());
    told(&mut admin, &["ACL", "SETUSER", &user, "resetpass", ">two"]);
    told(&mut admin, &["CLIENT", "KILL", "USER", &user]);
    let mut errors = vec![];
    for _ in 0..5 {
        errors.push(error_of(&limiter(), &mut redis, &user).await);
    }
    told(&mut admin, &["ACL", "DELUSER", &user]);
    // The first may find its connection cut.
    assert!(errors[1..].iter().all(|error| matches!(error, Error::Misconfigured(_))), "{errors:?}");
}

#[tokio::test]
async fn an_overload_is_denied_by_default() {
    let Some(_one) = alone() else { return };
    let (mut admin, mut redis) = (admin(), healthy());
    told(&mut admin, &["CONFIG", "SET", "maxmemory", "1"]);
    let denied = limiter().on_unavailable(Choice::Allow).acquire(&mut redis, random()).await;
    told(&mut admin, &["CONFIG", "SET", "maxmemory", "0"]);
    let denied = denied.unwrap();
    assert!(!denied.allowed() && !denied.enforced, "{denied:?}");
}

#[tokio::test]
async fn a_wrong_password_with_a_managers_defaults() {
    let Some(_one) = alone() else { return };
    let (limiter, mut redis) = by_default("nobody:wrong@");
    let mut refused = 0;
    for _ in 0..100 {
        match limiter.acquire(&mut redis, "a").await {
            Err(Error::Misconfigured(_)) => refused += 1,
            // A machine that stalls may let the time-out pass.
            late => assert!(late.as_ref().is_ok_and(|late| !late.allowed() && !late.enforced), "{late:?}"),
        }
    }
    assert!(refused > 50, "{refused}");
}

#[tokio::test]
async fn a_password_that_is_changed_and_changed_back() {
    let Some(_one) = alone() else { return };
    let (mut admin, user) = (admin(), random());
    told(&mut admin, &["ACL", "SETUSER", &user, "on", ">one", "~*", "+@all"]);
    let (limiter, mut redis) = by_default(&format!("{user}:one@"));
    let patient = limiter.clone().with_timeout(PATIENCE);
    assert!(patient.acquire(&mut redis, "a").await.unwrap().enforced);
    told(&mut admin, &["ACL", "SETUSER", &user, "resetpass", ">two"]);
    told(&mut admin, &["CLIENT", "KILL", "USER", &user]);
    // The first may find its connection cut.
    let _ = limiter.acquire(&mut redis, "a").await;
    let refused = at_once(&limiter, &redis, 100).await;
    told(&mut admin, &["ACL", "SETUSER", &user, "resetpass", ">one"]);
    assert!(refused.iter().any(|one| matches!(one, Err(Error::Misconfigured(_)))), "{refused:?}");
    // A machine that stalls may let the time-out pass.
    let is_closed =
        |one: &Result<Decision, Error>| matches!(one, Err(Error::Misconfigured(_))) || one.is_ok() && !is_open(one);
    assert!(refused.iter().all(is_closed), "{refused:?}");
    let decided = async {
        while patient.acquire(&mut redis, "a").await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, decided).await.expect("it connects again");
    told(&mut admin, &["ACL", "DELUSER", &user]);
}

#[tokio::test]
async fn an_address_of_a_replica_is_set_up_wrong_after_a_while() {
    let Some(_one) = alone() else { return };
    let (mut admin, mut redis, limiter, subject) = (admin(), healthy(), limiter(), random());
    let decision = limiter.acquire(&mut redis, &subject).await.unwrap();
    assert!(decision.allowed());
    told(&mut admin, &["REPLICAOF", "127.0.0.1", "1"]);
    let first = error_of(&limiter, &mut redis, &subject).await;
    tokio::time::sleep(Duration::from_secs(12)).await;
    let last = error_of(&limiter, &mut redis, &subject).await;
    told(&mut admin, &["REPLICAOF", "NO", "ONE"]);
    assert!(matches!(first, Error::NoDecision(FailureKind::Unavailable, _)), "{first:?}");
    assert!(matches!(last, Error::Misconfigured(_)), "{last:?}");
    let decision = limiter.acquire(&mut redis, &subject).await.unwrap();
    assert_eq!(decision.remaining, 998);
    told(&mut admin, &["REPLICAOF", "127.0.0.1", "1"]);
    let again = error_of(&limiter, &mut redis, &subject).await;
    told(&mut admin, &["REPLICAOF", "NO", "ONE"]);
    assert!(matches!(again, Error::NoDecision(FailureKind::Unavailable, _)), "a decision was between: {again:?}");
}
