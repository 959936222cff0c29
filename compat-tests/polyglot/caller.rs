//! Calls through redis-rs what polyglot.py asks for: caller CLIENT PORT RESP

use penstock_redis::{
    load_functions, load_functions_async, proves_not_run, query_all, query_all_async, Call, EntryCost, Decision, Error,
    Limit, EntryLimit, RateLimiter, Reservation, Reservations, SettleResult, RESERVE, SCRIPTS, SETTLE,
};
use redis::{aio::MultiplexedConnection, AsyncConnectionConfig, Client, Connection, RedisResult, Value};
use serde_json::{json, Value as Json};
use std::{io::stdin, thread, time::Duration};
use tokio::{runtime::Runtime, task::JoinSet};

const AT_ONCE: usize = 8;

enum Sends {
    Blocking(Client, Connection),
    Async(Runtime, MultiplexedConnection),
}

fn main() {
    let [name, port, protocol] = std::env::args().skip(1).collect::<Vec<_>>().try_into().unwrap();
    let client = Client::open(format!("redis://127.0.0.1:{port}/?protocol=resp{protocol}")).unwrap();
    let mut sends = if name == "Connection" {
        let connection = client.get_connection().unwrap();
        Sends::Blocking(client, connection)
    } else {
        let runtime = Runtime::new().unwrap();
        let patient = AsyncConnectionConfig::new().set_response_timeout(None).set_connection_timeout(None);
        let connection = runtime.block_on(client.get_multiplexed_async_connection_with_config(&patient)).unwrap();
        Sends::Async(runtime, connection)
    };
    for line in stdin().lines() {
        let question: Json = serde_json::from_str(&line.unwrap()).unwrap();
        let answer = if question["load"] == true {
            load(&mut sends, question["functions"] == true)
        } else if let Some(words) = question["words"].as_array() {
            call(&mut sends, words, question["whole"] == true)
        } else if question["held"].is_u64() {
            hold(&mut sends, &question)
        } else {
            share(&mut sends, &question)
        };
        println!("{answer}");
    }
}

fn send(sends: &mut Sends, words: &[&str]) -> RedisResult<Value> {
    let mut command = redis::cmd(words[0]);
    command.arg(&words[1..]);
    match sends {
        Sends::Blocking(_, connection) => command.query(connection),
        Sends::Async(runtime, connection) => runtime.block_on(command.query_async(connection)),
    }
}

fn load(sends: &mut Sends, functions: bool) -> Json {
    if functions {
        match sends {
            Sends::Blocking(_, connection) => load_functions(connection),
            Sends::Async(runtime, connection) => runtime.block_on(load_functions_async(connection)),
        }
        .unwrap();
    }
    let mut loaded = json!({});
    for script in SCRIPTS.iter().copied().chain([&RESERVE, &SETTLE]) {
        let answer = send(sends, &["SCRIPT", "LOAD", script.source]).unwrap();
        loaded[script.name] = json!([script.sha1, redis::from_redis_value::<String>(answer).unwrap(), script.function]);
    }
    loaded
}

fn call(sends: &mut Sends, words: &[Json], whole: bool) -> Json {
    let words: Vec<_> = words.iter().map(|word| word.as_str().unwrap()).collect();
    match send(sends, &words).and_then(Value::extract_error) {
        Ok(reply) => {
            let six: Vec<i64> = redis::from_redis_value(reply).unwrap();
            if whole {
                return json!({"read": six});
            }
            let read = Decision::read(&six, 1_000_000_000_000).unwrap();
            json!({"read": (read.granted, read.limit, read.remaining, read.wait_us, read.reset_us, read.tier)})
        }
        Err(error) => {
            let text = format!("{} {}", error.code().unwrap(), error.detail().unwrap_or(""));
            json!({"error": text, "proves": proves_not_run(&text)})
        }
    }
}

fn share(sends: &mut Sends, question: &Json) -> Json {
    let text = |name: &str| question[name].as_str().unwrap();
    let script = SCRIPTS.iter().find(|script| script.name == text("script")).unwrap();
    let tiers = serde_json::from_value(question["tiers"].clone()).unwrap();
    let mut limiter = RateLimiter::new(text("policy"), Limit::new(script, tiers).unwrap()).unwrap().with_timeout(std::time::Duration::MAX);
    limiter = limiter.with_prefix(text("prefix")).unwrap();
    if question["functions"] == true {
        limiter = limiter.with_functions();
    }
    let (cost, batch) = (question["cost"].as_u64().unwrap(), question["batch"].as_u64().unwrap() as usize);
    let most = question["most"].as_u64().unwrap();
    let calls = vec![limiter.calls().acquire_n(text("subject"), cost).unwrap(); batch];
    let admitted: u64 = match sends {
        Sends::Blocking(client, _) => thread::scope(|scope| {
            let all: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(|| until_denied(client, &calls, most))).collect();
            all.into_iter().map(|one| one.join().unwrap()).sum()
        }),
        Sends::Async(runtime, connection) => runtime.block_on(async {
            let all: JoinSet<_> =
                (0..AT_ONCE).map(|_| until_denied_async(connection.clone(), calls.clone(), most)).collect();
            all.join_all().await.into_iter().sum()
        }),
    };
    json!({"admitted": cost * admitted})
}

/// What each of several holds, again and again.
#[derive(Clone)]
struct Holding {
    llm: Reservations,
    group: String,
    entries: [EntryCost; 2],
    used: u64,
    most: u64,
}

fn hold(sends: &mut Sends, question: &Json) -> Json {
    let number = |name: &str| question[name].as_u64().unwrap();
    let limit = |name: &str| EntryLimit::parse(name, question["limits"][name].as_str().unwrap()).unwrap();
    let llm = Reservations::new("llm", Duration::from_secs(3600)).unwrap().with_timeout(Duration::from_secs(60)).unwrap();
    let llm = llm.with_prefix(question["prefix"].as_str().unwrap()).unwrap();
    let holding = Holding {
        llm: if question["functions"] == true { llm.with_functions() } else { llm },
        group: question["group"].as_str().unwrap().into(),
        entries: [limit("tokens").reserve(number("held")).unwrap(), limit("places").reserve(1).unwrap()],
        used: number("used"),
        most: number("most"),
    };
    let admitted: u64 = match sends {
        Sends::Blocking(client, _) => thread::scope(|scope| {
            let all: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(|| held(client, &holding))).collect();
            all.into_iter().map(|one| one.join().unwrap()).sum()
        }),
        Sends::Async(runtime, connection) => runtime.block_on(async {
            let all: JoinSet<_> = (0..AT_ONCE).map(|_| held_async(connection.clone(), holding.clone())).collect();
            all.join_all().await.into_iter().sum()
        }),
    };
    json!({"admitted": admitted})
}

/// Whether a denied call will never be allowed.
fn is_over(call: &Reservation) -> bool {
    let answer = call.answer();
    answer.denying == Some(0) && answer.usages[0].held == 0
}

fn held(client: &Client, holding: &Holding) -> u64 {
    let mut connection = client.get_connection().unwrap();
    let mut calls = 0;
    while calls < holding.most {
        let call = holding.llm.reserve(&holding.group, &holding.entries).unwrap().query(&mut connection).unwrap();
        if call.allowed() {
            let settled = call.settle(holding.used).unwrap().query(&mut connection).unwrap();
            assert_eq!(settled, SettleResult::Settled);
            calls += 1;
        } else if is_over(&call) {
            break;
        } else {
            thread::sleep(Duration::from_millis(5));
        }
    }
    calls * holding.used
}

async fn held_async(mut connection: MultiplexedConnection, holding: Holding) -> u64 {
    let mut calls = 0;
    while calls < holding.most {
        let call = holding.llm.reserve(&holding.group, &holding.entries).unwrap();
        let call = call.query_async(&mut connection).await.unwrap();
        if call.allowed() {
            let settled = call.settle(holding.used).unwrap().query_async(&mut connection).await.unwrap();
            assert_eq!(settled, SettleResult::Settled);
            calls += 1;
        } else if is_over(&call) {
            break;
        } else {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    calls * holding.used
}

fn until_denied(client: &Client, calls: &[Call], most: u64) -> u64 {
    let mut connection = client.get_connection().unwrap();
    let mut sum = 0;
    for _ in 0..most {
        let allowed = allowed(query_all(calls, &mut connection));
        sum += allowed;
        if allowed < calls.len() as u64 {
            break;
        }
    }
    sum
}

async fn until_denied_async(mut connection: MultiplexedConnection, calls: Vec<Call>, most: u64) -> u64 {
    let mut sum = 0;
    for _ in 0..most {
        let allowed = allowed(query_all_async(&calls, &mut connection).await);
        sum += allowed;
        if allowed < calls.len() as u64 {
            break;
        }
    }
    sum
}

fn allowed(outcomes: Vec<Result<Decision, Error>>) -> u64 {
    outcomes.into_iter().filter(|outcome| outcome.as_ref().unwrap().allowed()).count() as u64
}
