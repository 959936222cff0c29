//! Calls through redis-rs what polyglot.py asks for: caller CLIENT PORT RESP

use penstock_redis::{
    load_functions, load_functions_async, proves_not_run, query_all, query_all_async, Call, Decision, Error, Limit,
    RateLimiter, SCRIPTS,
};
use redis::{aio::MultiplexedConnection, AsyncConnectionConfig, Client, Connection, RedisResult, Value};
use serde_json::{json, Value as Json};
use std::{io::stdin, thread};
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
            call(&mut sends, words)
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
    for script in SCRIPTS {
        let answer = send(sends, &["SCRIPT", "LOAD", script.source]).unwrap();
        loaded[script.name] = json!([script.sha1, redis::from_redis_value::<String>(answer).unwrap(), script.function]);
    }
    loaded
}

fn call(sends: &mut Sends, words: &[Json]) -> Json {
    let words: Vec<_> = words.iter().map(|word| word.as_str().unwrap()).collect();
    match send(sends, &words).and_then(Value::extract_error) {
        Ok(reply) => {
            let six: Vec<i64> = redis::from_redis_value(reply).unwrap();
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
    let mut limiter = RateLimiter::new(text("policy"), Limit::new(script, tiers).unwrap()).unwrap();
    limiter = limiter.with_prefix(text("prefix")).unwrap();
    if question["functions"] == true {
        limiter = limiter.with_functions();
    }
    let (cost, batch) = (question["cost"].as_u64().unwrap(), question["batch"].as_u64().unwrap() as usize);
    let most = question["most"].as_u64().unwrap();
    let calls = vec![limiter.acquire_n(text("subject"), cost).unwrap(); batch];
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
