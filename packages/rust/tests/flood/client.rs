//! The flood client of packages/floods.py, which says what it reads and prints.

use penstock_redis::{token_bucket, AsyncClusterSender, AsyncSender, Choice, CircuitBreaker, RateLimiter, ReconnectingSender};
use redis::aio::ConnectionManagerConfig;
use redis::cluster::ClusterClient;
use redis::{Client, Cmd, TlsCertificates};
use serde_json::{json, Value};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

type Failed = Box<dyn std::error::Error + Send + Sync>;

/// User and system time of this process, in milliseconds.
fn cpu_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = fields.split_whitespace().skip(11).take(2).filter_map(|each| each.parse::<u64>().ok()).sum();
    ticks as f64 * 10.0
}

struct Flood {
    asked: Value,
    limiter: RateLimiter,
    deadline: Duration,
}

#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    Allowed,
    Denied,
    Opened,
    Overloaded,
    Thrown,
    Late,
}

impl Flood {
    async fn one<Sender: AsyncSender>(&self, redis: &mut Sender) -> Outcome {
        let Ok(call) = self.limiter.calls().acquire("flood") else { return Outcome::Thrown };
        if self.asked["raw"] == true {
            let sent = |words: Vec<&[u8]>| {
                let mut command = Cmd::new();
                words.into_iter().for_each(|word| {
                    command.arg(word);
                });
                command
            };
            let asking = async {
                let commands = [sent(call.words())];
                let reply = redis.send(&commands).await.remove(0);
                if reply.is_ok() { reply } else { redis.send(&[sent(call.eval_words())]).await.remove(0) }
            };
            let reply = tokio::time::timeout(self.deadline, asking).await;
            let Ok(Ok(reply)) = reply else { return Outcome::Late };
            let numbers: Vec<i64> = redis::from_redis_value(reply).unwrap_or_default();
            return if numbers.first().is_some_and(|granted| *granted > 0) { Outcome::Allowed } else { Outcome::Denied };
        }
        match call.query_async(redis).await {
            Ok(decision) => match (decision.allowed(), decision.enforced) {
                (true, true) => Outcome::Allowed,
                (false, true) => Outcome::Denied,
                (true, false) => Outcome::Opened,
                (false, false) => Outcome::Overloaded,
            },
            Err(error) => {
                eprintln!("{error}");
                Outcome::Thrown
            }
        }
    }

    /// Callers that each make a call when their last one has ended. What began in the first half a second is forgotten.
    async fn closed_loop<Sender>(&'static self, redis: Sender, callers: u64) -> Result<Value, Failed>
    where
        Sender: AsyncSender + Clone + 'static,
    {
        let counted = Instant::now() + Duration::from_millis(500);
        let end = counted + Duration::from_secs_f64(self.asked["seconds"].as_f64().ok_or("seconds")?);
        let calling = (0..callers).map(|_| {
            let mut redis = redis.clone();
            tokio::spawn(async move {
                let (mut took, mut lost) = (vec![], 0);
                while Instant::now() < end {
                    let begun = Instant::now();
                    let is_decided = matches!(self.one(&mut redis).await, Outcome::Allowed | Outcome::Denied);
                    if is_decided && begun >= counted {
                        took.push(begun.elapsed().as_secs_f64() * 1000.0);
                    }
                    lost += u64::from(!is_decided && begun >= counted);
                }
                (took, lost)
            })
        });
        let (mut took, mut lost) = (vec![], 0);
        for caller in calling.collect::<Vec<_>>() {
            let (decided, others) = caller.await?;
            took.extend(decided);
            lost += others;
        }
        took.sort_by(f64::total_cmp);
        Ok(json!({ "decided": took.len(), "lost": lost, "median_ms": took[took.len() / 2], "slowest_ms": took.last() }))
    }

    async fn run<Sender: AsyncSender + Clone + 'static>(&'static self, mut redis: Sender) -> Result<Value, Failed> {
        let number = |name: &str| self.asked[name].as_u64();
        let calls = number("calls").ok_or("calls")?;
        if self.asked["warm"] == true {
            self.one(&mut redis).await;
            if self.asked["raw"] != true {
                tokio::time::sleep(Duration::from_secs(4)).await;
            }
        }
        if let Some(signal) = self.asked["signal"].as_str() {
            std::fs::write(signal, "")?;
        }
        if let Some(callers) = number("callers") {
            return self.closed_loop(redis, callers).await;
        }
        let (begun, cpu) = (Instant::now(), cpu_ms());
        let mut tasks = Vec::with_capacity(calls as usize);
        let (each, span) = (self.asked.get("seconds").is_some(), self.asked["seconds"].as_f64().unwrap_or(0.0));
        for at in 0..calls {
            if each {
                tokio::time::sleep_until((begun + Duration::from_secs_f64(span * at as f64 / calls as f64)).into()).await;
            }
            let mut redis = redis.clone();
            tasks.push(tokio::spawn(async move {
                let (began, since) = (Instant::now(), SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default());
                let mut outcome = self.one(&mut redis).await;
                if self.asked["raw"] == true && began.elapsed() > self.deadline {
                    outcome = Outcome::Late;
                }
                (since.as_secs_f64(), began.elapsed().as_secs_f64() * 1000.0, outcome)
            }));
        }
        let mut outcomes = Vec::with_capacity(tasks.len());
        for task in tasks {
            outcomes.push(task.await?);
        }
        let count = |which: Outcome| outcomes.iter().filter(|(_, _, outcome)| *outcome == which).count();
        let slowest = outcomes.iter().map(|(_, took, _)| *took).fold(0.0, f64::max);
        let mut said = json!({
            "opened": count(Outcome::Opened), "allowed": count(Outcome::Allowed), "denied_by_server": count(Outcome::Denied),
            "overloaded": count(Outcome::Overloaded) + count(Outcome::Late), "thrown": count(Outcome::Thrown),
            "slowest_ms": slowest, "decided": count(Outcome::Allowed) + count(Outcome::Denied), "cpu_ms": cpu_ms() - cpu,
        });
        if each {
            let name = |outcome: Outcome| match outcome {
                Outcome::Allowed | Outcome::Denied => "decided",
                Outcome::Opened => "opened",
                Outcome::Overloaded | Outcome::Late => "overloaded",
                Outcome::Thrown => "thrown",
            };
            said["each"] = outcomes.iter().map(|(since, took, outcome)| json!([since, took, name(*outcome)])).collect();
        }
        Ok(said)
    }
}

async fn flood(flood: &'static Flood) -> Result<Value, Failed> {
    let text = |name: &str| flood.asked[name].as_str();
    let address = text("address").ok_or("address")?;
    let config = ConnectionManagerConfig::new().set_response_timeout(None);
    match text("kind") {
        Some("cluster") => {
            let builder = ClusterClient::builder([format!("redis://{address}/")]).response_timeout(Duration::from_secs(60));
            flood.run(AsyncClusterSender::new(builder).await?).await
        }
        Some("tls") => {
            let _ = rustls::crypto::ring::default_provider().install_default();
            let root_cert = Some(std::fs::read(text("ca").ok_or("ca")?)?);
            let client = Client::build_with_tls(format!("rediss://{address}/"), TlsCertificates { client_tls: None, root_cert })?;
            flood.run(ReconnectingSender::new(client, config)?).await
        }
        _ => flood.run(ReconnectingSender::new(Client::open(format!("redis://{address}/"))?, config)?).await,
    }
}

fn main() -> Result<(), Failed> {
    let asked: Value = serde_json::from_str(&std::env::args().nth(1).ok_or("one JSON object as argument")?)?;
    let deadline = Duration::from_millis(asked["deadline_ms"].as_u64().ok_or("deadline_ms")?);
    let day = Duration::from_secs(86_400);
    let limit = asked["limit"].as_u64().ok_or("limit")?;
    let prefix = format!("f{:x}", RandomState::new().build_hasher().finish());
    let limiter = RateLimiter::new("flood", token_bucket(limit, limit, day)?)?.with_prefix(&prefix)?;
    let mut limiter = limiter.on_unavailable(Choice::Allow).with_timeout(deadline);
    limiter = limiter.share_trips(asked["shares"] != false);
    if let Some(length) = asked["circuit_ms"].as_u64() {
        limiter = limiter.circuit_breaker(&CircuitBreaker::new(Duration::from_millis(length))?);
    }
    let asked = Box::leak(Box::new(Flood { asked, limiter, deadline }));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    println!("{}", runtime.block_on(flood(asked))?);
    // What waits for a server that has stopped is not waited for.
    std::process::exit(0);
}
