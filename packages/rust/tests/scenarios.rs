//! failures.json: what each call is while the server or its network fails, on a real server and through a proxy.

use penstock_redis::{
    key, query_all, query_all_async, Call, Choice, Decision, Error, FailureKind, RateLimiter, ReconnectingSender,
};
use redis::{Client, Connection};
use serde_json::Value;
use std::time::Duration;

mod clients;
mod servers;
mod vectors;

use clients::{admin, asked, connection, window};
use servers::{alone, random, servers_do, setting, PATIENCE, PREFIX};

type Outcome = Result<Decision, Error>;

enum Player {
    Blocking(Box<Connection>),
    Reconnecting(ReconnectingSender),
}

impl Player {
    async fn play(&mut self, calls: &[Call]) -> Vec<Outcome> {
        match (self, calls) {
            (Player::Blocking(redis), [call]) => vec![call.query(redis.as_mut())],
            (Player::Blocking(redis), _) => query_all(calls, redis.as_mut()),
            (Player::Reconnecting(redis), [call]) => vec![call.query_async(&mut redis.clone()).await],
            (Player::Reconnecting(redis), _) => query_all_async(calls, &mut redis.clone()).await,
        }
    }
}

fn units(verb: &str) -> u64 {
    match verb {
        "acquire" | "all" => 1,
        "up_to" => 5,
        _ => 0,
    }
}

fn calls_of(limiter: &RateLimiter, verb: &str, who: &[String]) -> Vec<Call> {
    let (calls, first) = (limiter.calls(), &who[0]);
    match verb {
        "acquire" | "all" => who.iter().map(|each| calls.acquire(each).unwrap()).collect(),
        "up_to" => vec![calls.acquire_up_to(first, 5, 1).unwrap()],
        "peek" => vec![calls.peek(first).unwrap()],
        "refund" => vec![calls.refund(first, 1).unwrap()],
        other => vec![calls.reset(first).unwrap()].into_iter().filter(|_| other == "reset").collect(),
    }
}

fn name_of(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::NotSent => "not_sent",
        FailureKind::NotAnswered => "not_answered",
        FailureKind::Unavailable => "unavailable",
        FailureKind::Misconfigured => "misconfigured",
        FailureKind::Overloaded => "overloaded",
        FailureKind::Redirect | FailureKind::Unknown => "unknown",
    }
}

fn check(scenario: &Value, choice: &Value, verb: &str, outcome: &Outcome) {
    let (first, may_choose) = (scenario["is"][0].as_str().unwrap(), units(verb) > 0);
    let chosen = match first {
        "not_sent" | "not_answered" | "unavailable" if may_choose => choice["on_unavailable"].as_str().unwrap(),
        "overloaded" if may_choose => choice["on_overload"].as_str().unwrap(),
        "decided" => first,
        _ => "throw",
    };
    let shown = format!("{}: {verb}, {choice}: {outcome:?}", scenario["name"]);
    match (chosen, outcome) {
        ("decided", Ok(decision)) => assert!(decision.enforced, "{shown}"),
        ("throw", Err(error)) => {
            let kind = name_of(error.kind());
            assert!(scenario["is"].as_array().unwrap().iter().any(|one| one == kind), "{shown}");
            let maybe = scenario["maybe_charged"].as_bool().unwrap_or(kind == "not_answered");
            assert!(!may_choose || error.may_be_charged() == maybe, "{shown}");
        }
        ("allow" | "deny", Ok(one)) => {
            let six = (one.granted, one.limit, one.remaining, one.reset_us, one.tier, one.enforced);
            assert_eq!(six, (if chosen == "allow" { units(verb) } else { 0 }, 1000, 0, 0, 1, false), "{shown}");
            assert_eq!(one.wait_us > 0, chosen == "deny", "{shown}");
        }
        _ => panic!("{shown}"),
    }
}

/// Sends commands to the server.
fn told(admin: &mut Connection, commands: &Value, user: &str, key: &str) {
    for command in commands.as_array().into_iter().flatten() {
        let words = command.as_array().unwrap().iter();
        let words = words.map(|word| word.as_str().unwrap().replace("$user", user).replace("$key", key));
        let words: Vec<String> = words.collect();
        redis::cmd(&words[0]).arg(&words[1..]).exec(admin).unwrap();
    }
}

fn bed(scenario: &Value, at: usize) {
    if let Some(word) = scenario["bed"][at].as_str() {
        servers_do(&[word], "");
    }
}

async fn play(scenario: &Value, choices: &[Value], is_blocking: bool) {
    let (client, text) = (&scenario["client"], |field: &str| scenario[field].as_str());
    let (policy, user, mut admin) = (text("policy").unwrap_or("api"), format!("u{}", random()), admin());
    let port = match client["at"].as_str().unwrap() {
        "nobody" => "1".into(),
        at => setting(if at == "proxy" { "PROXY" } else { "REDIS" }),
    };
    let signed_in = client["user"].as_str().map(|name| name.replace("$user", &user));
    let signed_in = signed_in.map(|name| format!("{name}:{}@", client["password"].as_str().unwrap()));
    let database = client["database"].as_u64().unwrap_or(0) as u32;
    let is_new = scenario["new"] == true || signed_in.is_some() || database > 0;
    let limiter = |policy| RateLimiter::new(policy, window()).unwrap().with_prefix(&PREFIX).unwrap();
    let mut redis = connection(&signed_in.unwrap_or_default(), &port, database, PATIENCE);
    if scenario["asked"] == true {
        redis = asked(redis).await;
    } else if !is_new {
        while limiter("api").with_timeout(PATIENCE).acquire(&mut redis, random()).await.is_err() {}
    }
    told(&mut admin, &scenario["commands"], &user, "");
    bed(scenario, 0);
    let acquire = vec![Value::from("acquire")];
    let (mut charges, mut outcomes) = (vec![], vec![]);
    for choice in choices {
        let chosen = |name: &str| match choice[name].as_str().unwrap() {
            "throw" => Choice::Fail,
            "allow" => Choice::Allow,
            _ => Choice::Deny,
        };
        let deadline = Duration::from_millis(scenario["deadline_ms"].as_u64().unwrap_or(20_000));
        let made = limiter(policy).with_timeout(deadline);
        let made = made.on_unavailable(chosen("on_unavailable")).on_overload(chosen("on_overload"));
        for verb in scenario["calls"].as_array().unwrap_or(&acquire).iter().map(|verb| verb.as_str().unwrap()) {
            let who: Vec<String> = (0..if verb == "all" { 2 } else { 1 })
                .map(|_| format!("{} #{}", text("subject").unwrap_or_default(), random()))
                .collect();
            let keys = who.iter().map(|each| key(&PREFIX, policy, each, &window()).unwrap());
            let keys: Vec<String> = keys.map(|each| String::from_utf8(each).unwrap()).collect();
            if !scenario["before_each"].is_null() {
                told(&mut admin, &Value::from(vec![scenario["before_each"].clone()]), &user, &keys[0]);
            }
            let mut player = if is_blocking {
                let client = Client::open(format!("redis://127.0.0.1:{port}/")).unwrap();
                Player::Blocking(Box::new(client.get_connection().unwrap()))
            } else {
                Player::Reconnecting(redis.clone())
            };
            let calls = calls_of(&made, verb, &who);
            let begun = tokio::spawn(async move { player.play(&calls).await });
            // Those of a stopped server end at once; else an answer is of the call before it.
            while scenario["bed"].is_null() && !begun.is_finished() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            outcomes.push(begun);
            if !is_blocking && policy == "lost" {
                while limiter("api").with_timeout(PATIENCE).acquire(&mut redis, random()).await.is_err() {}
            }
            charges.push((choice, verb, keys));
        }
    }
    let mut ended = vec![];
    for each in outcomes {
        ended.push(each.await.unwrap());
    }
    bed(scenario, 1);
    told(&mut admin, &scenario["undo"], &user, "");
    for ((choice, verb, keys), outcomes) in charges.into_iter().zip(&ended) {
        outcomes.iter().for_each(|outcome| check(scenario, choice, verb, outcome));
        for key in keys.iter().filter(|_| units(verb) > 0 && !scenario["ran"].is_null()) {
            let ran = scenario["ran"].as_array().unwrap();
            loop {
                let state: Option<String> = redis::cmd("GET").arg(key).query(&mut admin).unwrap();
                let used: u64 = state.map_or(0, |state| state.split(':').nth(1).unwrap().parse().unwrap());
                if ran.contains(&Value::from(used / units(verb))) {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    let heals = limiter("api").with_timeout(PATIENCE).on_overload(Choice::Fail);
    while scenario["stays"] != true && heals.acquire(&mut redis, random()).await.is_err() {}
}

#[tokio::test]
async fn failures_json() {
    let Some(_one) = alone() else { return };
    let path = format!("{}/failures.json", setting("VECTORS"));
    let read: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let choices = read["choices"].as_array().unwrap();
    for scenario in vectors::vectors("failures", "scenarios", vectors::all) {
        play(&scenario, choices, false).await;
        // A blocking connection is made before there is a limiter, and is not made again.
        if scenario["policy"] == "told" || scenario["policy"] == "lost" || scenario["before_each"].is_array() {
            play(&scenario, choices, true).await;
        }
    }
}
