//! The layer in axum, over HTTP, on servers.

mod clients;
#[path = "../examples/layer.rs"]
mod layer;
mod servers;
mod vectors;

use axum::http::{request::Parts, HeaderMap, HeaderName, Response, StatusCode};
use axum::{extract::ConnectInfo, routing::get, Router};
use clients::asked;
use penstock_redis::{
    by_header, fixed_window, interval_bucket, key, leaky_bucket, Also, ArgumentError, Choice, Decision, EntryLimit,
    EventKind, HeaderForm, Limit, RateLimitHeaders, RateLimiter, ReconnectingSender, RequestLimitLayer, Reservations,
};
use redis::aio::ConnectionManagerConfig;
use serde_json::Value;
use servers::{alone, random, servers_do, setting, HOUR, PATIENCE};
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use vectors::{all, vectors};

const SHORT: Duration = Duration::from_millis(300);

type Layer = RequestLimitLayer<ReconnectingSender>;

fn hours(units: u64) -> Limit {
    fixed_window(units, HOUR).unwrap()
}

/// A limiter whose keys nobody else has.
fn limiter(units: u64) -> RateLimiter {
    let prefix = format!("t{}", random());
    RateLimiter::new("api", hours(units)).unwrap().with_prefix(&prefix).unwrap().with_timeout(PATIENCE)
}

fn sender(user: &str, timeout: Duration) -> ReconnectingSender {
    sender_to("PROXY", user, timeout)
}

fn sender_to(port: &str, user: &str, timeout: Duration) -> ReconnectingSender {
    let config = ConnectionManagerConfig::new()
        .set_number_of_retries(0)
        .set_connection_timeout(Some(timeout))
        .set_response_timeout(Some(timeout));
    let client = redis::Client::open(format!("redis://{user}127.0.0.1:{}/", setting(port))).unwrap();
    ReconnectingSender::new(client, config).unwrap()
}

fn connection(request: &Parts) -> Option<IpAddr> {
    Some(request.extensions.get::<ConnectInfo<SocketAddr>>()?.ip())
}

fn limits(limiter: RateLimiter) -> Layer {
    RequestLimitLayer::new(limiter, sender("", PATIENCE), connection).unwrap()
}

fn header(name: &'static str) -> impl Fn(&Parts) -> Option<String> + Send + Sync + 'static {
    move |parts| Some(parts.headers.get(name)?.to_str().ok()?.to_string())
}

/// A server on a port of its own, and how many requests its handler has served.
struct Site {
    address: SocketAddr,
    served: Arc<AtomicUsize>,
    _serving: JoinSet<std::io::Result<()>>,
}

impl Site {
    async fn of(layers: &[Layer]) -> Self {
        let served = Arc::new(AtomicUsize::new(0));
        let count = served.clone();
        let handler = move |headers: HeaderMap| async move {
            count.fetch_add(1, Ordering::SeqCst);
            let status = headers.get("x-answer").and_then(|status| StatusCode::from_bytes(status.as_bytes()).ok());
            (status.unwrap_or_default(), "served")
        };
        let app = layers.iter().fold(Router::new().route("/", get(handler)), |app, layer| app.layer(layer.clone()));
        Self::serving(app, served).await
    }

    async fn serving(app: Router, served: Arc<AtomicUsize>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let service = app.into_make_service_with_connect_info::<SocketAddr>();
        let mut serving = JoinSet::new();
        serving.spawn(async move { axum::serve(listener, service).await });
        Self { address, served, _serving: serving }
    }

    /// The answer to a request with these header lines.
    async fn get(&self, lines: &str) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let request = format!("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{lines}\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    /// The statuses of as many requests with these header lines.
    async fn statuses(&self, requests: usize, lines: &str) -> String {
        let mut statuses = vec![];
        for _ in 0..requests {
            statuses.push(self.get(lines).await[9..12].to_string());
        }
        statuses.join(" ")
    }
}

/// A header field of an answer; several lines in one.
fn field(answer: &str, name: &str) -> String {
    let head = answer.split("\r\n\r\n").next().unwrap();
    let lines = head.lines().filter_map(|line| line.split_once(": "));
    lines.filter(|(each, _)| *each == name).map(|(_, value)| value).collect::<Vec<_>>().join(", ")
}

fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").unwrap().1
}

#[tokio::test]
async fn a_secret_is_limited() {
    let Some(_one) = alone() else { return };
    let (secret, prefix) = (random(), format!("t{}", random()));
    let limiter = RateLimiter::new("api", hours(1000)).unwrap().with_prefix(&prefix).unwrap().with_timeout(PATIENCE);
    let layer = limits(limiter).key(by_header(HeaderName::from_static("x-api-key"))).cost(|_| 600);
    let site = Site::of(&[layer]).await;
    let lines = format!("X-Api-Key: {secret}\r\n");
    let served = site.get(&lines).await;
    assert_eq!((&served[9..12], body(&served)), ("200", "served"));
    assert_eq!(field(&served, "ratelimit-policy"), r#""api";q=1000;w=3600"#);
    assert!(field(&served, "ratelimit").starts_with(r#""api";r=400;t="#));
    let denied = site.get(&lines).await;
    assert_eq!((&denied[9..12], field(&denied, "content-type").as_str()), ("429", "application/problem+json"));
    assert!(!field(&denied, "retry-after").is_empty());
    assert_eq!(
        body(&denied),
        r#"{"type":"https://iana.org/assignments/http-problem-types#quota-exceeded","title":"Quota exceeded","status":429,"violated-policies":["api"]}"#
    );
    assert_eq!(site.served.load(Ordering::SeqCst), 1);
    // Hashed, so that no key shows it.
    let all = sender("", PATIENCE);
    let keys: Vec<String> =
        redis::cmd("KEYS").arg(format!("{prefix}:*")).query_async(&mut all.manager()).await.unwrap();
    let digest = penstock_redis::key(&prefix, "api", keys[0].split(['{', '}']).nth(1).unwrap(), &hours(1000)).unwrap();
    assert_eq!(keys, [String::from_utf8(digest).unwrap()]);
    assert!(keys[0].contains("{header:") && !keys[0].contains(&secret));
    // Whoever has none, or two, is known by the address.
    assert_eq!(site.statuses(1, "").await, "200");
    assert_eq!(site.statuses(1, &format!("X-Api-Key: {}\r\nX-Api-Key: {}\r\n", random(), random())).await, "429");
    let known = key(&prefix, "api", "address:127.0.0.1", &hours(1000)).unwrap();
    assert_eq!(redis::cmd("EXISTS").arg(known).query_async::<i64>(&mut all.manager()).await.unwrap(), 1);
}

#[tokio::test]
async fn nothing_that_is_not_found_lets_a_request_through() {
    let Some(_one) = alone() else { return };
    for layer in [
        limits(limiter(2)),
        limits(limiter(2)).key(|_| None),
        limits(limiter(2)).key(|_| Some(String::new())),
        limits(limiter(2)).cost(|_| 0),
        limits(limiter(2)).key(by_header(HeaderName::from_static("x-api-key"))),
        RequestLimitLayer::new(limiter(2), sender("", PATIENCE), |_| None).unwrap(),
    ] {
        assert_eq!(Site::of(&[layer]).await.statuses(3, "").await, "200 200 429");
    }
    assert_eq!(Site::of(&[limits(limiter(2)).cost(|_| u64::MAX)]).await.statuses(2, "").await, "429 429");
    let plans = [("paid", limiter(3)), ("free", limiter(1)), ("zero", limiter(2))];
    let layer = RequestLimitLayer::by_plan(plans, header("x-plan"), sender("", PATIENCE), connection).unwrap();
    let site = Site::of(&[layer.key(header("x-user"))]).await;
    for (plan, want) in [("paid", "200 200 200 429"), ("free", "200 429 429 429"), ("Paid", "200 429 429 429")] {
        assert_eq!(site.statuses(4, &format!("X-Plan: {plan}\r\nX-User: {}\r\n", random())).await, want, "{plan}");
    }
    assert_eq!(site.statuses(2, &format!("X-User: {}\r\n", random())).await, "200 429");
}

#[tokio::test]
async fn callers_behind_proxies() {
    let Some(_one) = alone() else { return };
    let layer = limits(limiter(1)).trusted_proxies(&["127.0.0.1", "10.0.0.0/8"]).unwrap();
    let site = Site::of(&[layer.exempt(&["192.0.2.0/24"]).unwrap()]).await;
    let from = |list: &str| format!("X-Forwarded-For: {list}\r\n");
    for (list, want) in [
        ("198.51.100.1", "200 429"),
        ("1.1.1.1\r\nX-Forwarded-For: 198.51.100.1, 10.1.1.1", "429 429"),
        ("::ffff:198.51.100.1", "429 429"),
        ("2001:db8::1", "200 429"),
        ("2001:db8::2", "429 429"),
        ("192.0.2.9", "200 200"),
        ("192.0.2.9, 198.51.100.1", "429 429"),
    ] {
        assert_eq!(site.statuses(2, &from(list)).await, want, "{list}");
    }
    let foreign = Site::of(&[limits(limiter(1)).exempt(&["192.0.2.0/24"]).unwrap()]).await;
    assert_eq!(foreign.statuses(1, &from("198.51.100.1")).await, "200");
    assert_eq!(foreign.statuses(2, &from("192.0.2.1")).await, "429 429");
}

#[tokio::test]
async fn who_is_skipped_and_what_is_dry() {
    let Some(_one) = alone() else { return };
    let skips = Site::of(&[limits(limiter(1)).skip(|parts| parts.headers.contains_key("x-skip"))]).await;
    assert_eq!(skips.statuses(2, "X-Skip: yes\r\n").await, "200 200");
    assert_eq!(skips.statuses(2, "").await, "200 429");
    let denied = Arc::new(AtomicUsize::new(0));
    let count = denied.clone();
    let told = limiter(1).on_outcome(move |outcome| {
        count.fetch_add(usize::from(outcome.decision.is_some_and(|decision| !decision.allowed())), Ordering::SeqCst);
    });
    let dry = Site::of(&[limits(told).dry_run()]).await;
    assert_eq!(field(&dry.get("").await, "ratelimit-policy"), "");
    assert_eq!(dry.statuses(2, "").await, "200 200");
    assert_eq!(denied.load(Ordering::SeqCst), 2);
    assert_eq!(field(&dry.get("").await, "ratelimit"), "");
    let wrong = RequestLimitLayer::new(limiter(1), sender("nobody:wrong@", PATIENCE), connection).unwrap();
    assert_eq!(Site::of(&[wrong.dry_run()]).await.statuses(1, "").await, "200");
}

#[tokio::test]
async fn plans_without_a_limit_and_limits_of_requests() {
    let Some(_one) = alone() else { return };
    let layer = RequestLimitLayer::by_plan([("free", limiter(1))], header("x-plan"), sender("", PATIENCE), connection);
    let site = Site::of(&[layer.unwrap().unlimited(&["internal"]).unwrap()]).await;
    assert_eq!(site.statuses(3, "X-Plan: internal\r\n").await, "200 200 200");
    assert_eq!(field(&site.get("X-Plan: internal\r\n").await, "ratelimit"), "");
    assert_eq!(site.statuses(2, "X-Plan: Internal\r\n").await, "200 429");
    let own = limits(limiter(2)).limit_of(|parts| parts.headers.get("x-limit")?.to_str().ok()?.parse().ok());
    let site = Site::of(&[own.form(HeaderForm::Draft07).unwrap()]).await;
    for (limit, want) in [
        ("fixed-window:1/2h", "200 429"),
        ("fixed-window:3/3h", "200 200 200 429"),
        ("", "200 200 429"),
        ("fixed-window:0/1h", "429"),
        ("leaky-bucket:9/1s", "429"),
        ("unlimited", "429"),
        ("fixed-window:1/2h", "429"),
    ] {
        assert_eq!(site.statuses(want.split(' ').count(), &format!("X-Limit: {limit}\r\n")).await, want, "{limit}");
    }
    assert!(field(&site.get("X-Limit: fixed-window:1/2h\r\n").await, "ratelimit").starts_with("limit=1, remaining=0"));
    // Many limits are as many limiters, up to a bound.
    let units = AtomicUsize::new(0);
    let many = limits(limiter(1)).limit_of(move |_| Some(hours(units.fetch_add(1, Ordering::SeqCst) as u64 + 1)));
    assert!(Site::of(&[many]).await.statuses(1_100, "").await.split(' ').all(|status| status == "200"));
}

#[tokio::test]
async fn an_answer_of_ones_own() {
    let Some(_one) = alone() else { return };
    let answer = |_: &Parts, denied: &Decision| {
        Response::builder().status(402).header("x-own", "yes").body(format!("Enough of {}", denied.limit)).unwrap()
    };
    let site = Site::of(&[limits(limiter(1)).on_denied(answer)]).await;
    assert_eq!(site.statuses(1, "").await, "200");
    let denied = site.get("").await;
    assert_eq!((&denied[9..12], body(&denied), field(&denied, "x-own").as_str()), ("402", "Enough of 1", "yes"));
    assert!(field(&denied, "ratelimit").starts_with(r#""api";r=0;"#) && !field(&denied, "retry-after").is_empty());
    assert_ne!(field(&denied, "content-type"), "application/problem+json");
    assert_eq!(site.served.load(Ordering::SeqCst), 1);
    // What is undecided is no denial.
    for choice in [Choice::Fail, Choice::Deny] {
        let away = limiter(1).on_unavailable(choice);
        let redis = ReconnectingSender::new(redis::Client::open("redis://127.0.0.1:1/").unwrap(), Default::default());
        let layer = RequestLimitLayer::new(away, redis.unwrap(), connection).unwrap().on_denied(answer);
        assert_eq!(Site::of(&[layer]).await.statuses(1, "").await, "503");
    }
}

#[tokio::test]
async fn the_fields_of_several_limits() {
    let Some(_one) = alone() else { return };
    for each in vectors("requests", "several", all) {
        let form = match each["form"].as_str() {
            Some("draft-07") => HeaderForm::Draft07,
            Some("x-rate-limit") => HeaderForm::XRateLimit,
            _ => HeaderForm::Draft11,
        };
        let prefix = format!("t{}", random());
        let cost = each["cost"].as_u64().unwrap();
        let layer = |limit: &Value| {
            let named =
                RateLimiter::new(limit["policy"].as_str().unwrap(), limit["limit"].as_str().unwrap().parse().unwrap());
            let limiter = named.unwrap().with_prefix(&prefix).unwrap().with_timeout(PATIENCE);
            limits(limiter).cost(move |_| cost).form(form).unwrap()
        };
        // The last layer is the outermost.
        let layers: Vec<_> = each["limits"].as_array().unwrap().iter().rev().map(layer).collect();
        let answer = Site::of(&layers).await.get("").await;
        assert_eq!(answer[9..12], each["status"].to_string(), "{each}");
        let lines = answer.lines().filter_map(|line| line.split_once(": "));
        let written: Vec<_> = lines.filter(|(name, _)| name.contains("ratelimit")).collect();
        let expected: Vec<(String, String)> = serde_json::from_value(each["fields"].clone()).unwrap();
        assert_eq!(written.len(), expected.len(), "{answer}");
        for (name, text) in expected {
            assert_eq!(field(&answer, &name.to_lowercase()), text, "{each}");
        }
    }
}

/// A limiter of a vector.
fn limiter_of(limit: &Value, prefix: &str) -> RateLimiter {
    let parsed = limit["limit"].as_str().unwrap().parse().unwrap();
    let made = RateLimiter::new(limit["policy"].as_str().unwrap(), parsed).unwrap();
    made.with_prefix(prefix).unwrap().with_timeout(PATIENCE)
}

#[tokio::test]
async fn two_policies_and_charges_by_the_response() {
    let Some(_one) = alone() else { return };
    for each in vectors("requests", "joint", all) {
        let prefix = format!("t{}", random());
        let cost = each["cost"].as_u64().unwrap_or(1);
        let mut layer = limits(limiter_of(&each, &prefix)).key(header("x-subject")).cost(move |_| cost);
        if each["also"].is_object() {
            let mut also = Also::new(limiter_of(&each["also"], &prefix), header("x-also")).unwrap();
            if let Some(cost) = each["also"]["cost"].as_u64() {
                also = also.cost(move |_| cost);
            }
            layer = layer.also(also).unwrap();
        }
        if let Some(responses) = each["charge_when"].as_str() {
            layer = layer.charge_when(responses).unwrap();
        }
        let site = Site::of(&[layer]).await;
        for request in each["requests"].as_array().unwrap() {
            let mut lines = format!("X-Answer: {}\r\n", request["answer"].as_u64().unwrap_or(200));
            for (name, value) in [("X-Subject", &request["subject"]), ("X-Also", &request["also"])] {
                lines += &value.as_str().map_or(String::new(), |value| format!("{name}: {value}\r\n"));
            }
            let answer = site.get(&lines).await;
            assert_eq!(answer[9..12], request["status"].to_string(), "{}: {request}", each["name"]);
            if request["left"].is_object() {
                let fields = field(&answer, "ratelimit");
                let left = fields.split(", ").map(|policy| {
                    let (name, figures) = policy.split_once(";r=").unwrap();
                    let units: u64 = figures.split(';').next().unwrap().parse().unwrap();
                    (name.trim_matches('"').to_string(), Value::from(units))
                });
                assert_eq!(Value::Object(left.collect()), request["left"], "{}: {request}", each["name"]);
            }
            if request["violated"].is_array() {
                let problem: Value = serde_json::from_str(body(&answer)).unwrap();
                assert_eq!(problem["violated-policies"], request["violated"], "{}: {request}", each["name"]);
            }
        }
    }
}

/// A layer of failed logins of alice, 5 an hour, of which 5 are held; and what holds them.
async fn five_held(timeout: Duration) -> (Layer, penstock_redis::Reservation) {
    let prefix = format!("t{}", random());
    let own = RateLimiter::new("logins", hours(5)).unwrap().with_prefix(&prefix).unwrap().with_timeout(timeout);
    let reservations = Reservations::new("logins", 10 * PATIENCE).unwrap().with_prefix(&prefix).unwrap();
    let five = EntryLimit::new("logins", hours(5)).unwrap().reserve(5).unwrap();
    let call = reservations.with_timeout(PATIENCE).unwrap().reserve("alice", &[five]).unwrap();
    let held = call.query_async(&mut sender("", PATIENCE)).await.unwrap();
    (limits(own).key(|_| Some("alice".into())).charge_when("status 401, 403").unwrap(), held)
}

#[tokio::test]
async fn a_request_that_only_holds_deny_waits_for_them() {
    let Some(_one) = alone() else { return };
    for (is_charged, status) in [(false, "200"), (true, "429")] {
        let (layer, held) = five_held(PATIENCE).await;
        let denied = Arc::new(tokio::sync::Notify::new());
        let told = denied.clone();
        let layer = layer.on_event(move |event| {
            if event.kind == EventKind::Denied {
                told.notify_one();
            }
        });
        let site = Site::of(&[layer.unwrap()]).await;
        let end = async {
            denied.notified().await;
            let settlement = if is_charged { held.close() } else { held.cancel() };
            settlement.query_async(&mut sender("", PATIENCE)).await.unwrap();
        };
        assert_eq!(tokio::join!(site.statuses(1, ""), end).0, status);
    }
    let (layer, _held) = five_held(Duration::from_secs(3)).await;
    assert_eq!(Site::of(&[layer]).await.statuses(1, "").await, "429");
}

#[tokio::test]
async fn failures_at_once_are_counted() {
    let Some(_one) = alone() else { return };
    let site = Arc::new(Site::of(&[limits(limiter(5)).charge_when("status 401").unwrap()]).await);
    let mut requests = JoinSet::new();
    for _ in 0..20 {
        let site = site.clone();
        requests.spawn(async move { site.statuses(1, "X-Answer: 401\r\n").await });
    }
    let mut statuses = requests.join_all().await;
    statuses.sort();
    assert_eq!(statuses.join(" "), format!("{}{}", "401 ".repeat(5), "429 ".repeat(15)).trim_end());
}

#[tokio::test]
async fn charges_by_the_response_without_a_decision() {
    let Some(_one) = alone() else { return };
    for (choice, want) in [(Choice::Fail, "503"), (Choice::Allow, "200"), (Choice::Deny, "503")] {
        let away = limiter(1).on_unavailable(choice).with_timeout(SHORT);
        let redis = ReconnectingSender::new(redis::Client::open("redis://127.0.0.1:1/").unwrap(), Default::default());
        let layer = RequestLimitLayer::new(away, redis.unwrap(), connection).unwrap();
        let also = Also::new(RateLimiter::new("others", hours(1)).unwrap(), |_| None).unwrap();
        let layer = layer.charge_when("status 401").unwrap().also(also).unwrap();
        let answer = Site::of(&[layer]).await.get("").await;
        assert_eq!((&answer[9..12], field(&answer, "ratelimit").as_str()), (want, ""));
    }
}

#[tokio::test]
async fn a_dry_run_holds_and_refuses_nobody() {
    let Some(_one) = alone() else { return };
    let heard = Arc::new(std::sync::Mutex::new(vec![]));
    let kinds = heard.clone();
    let layer = limits(limiter(1)).dry_run().charge_when("status 401").unwrap();
    let layer = layer.on_event(move |event| kinds.lock().unwrap().push(event.kind)).unwrap();
    let site = Site::of(&[layer]).await;
    for status in ["200", "401", "401"] {
        assert_eq!(site.statuses(1, &format!("X-Answer: {status}\r\n")).await, status);
    }
    use EventKind::{Cancelled, Denied, Reserved, Settled};
    assert_eq!(*heard.lock().unwrap(), [Reserved, Cancelled, Reserved, Settled, Denied]);
}

#[tokio::test]
async fn plans_as_they_are_written() {
    let Some(_one) = alone() else { return };
    for each in vectors("requests", "plans_as_written", all) {
        let prefix = format!("t{}", random());
        let made = || {
            let (mut plans, mut unlimited) = (vec![], vec![]);
            for (name, text) in each["plans"].as_object().unwrap() {
                match text.as_str().unwrap() {
                    "unlimited" => unlimited.push(name.as_str()),
                    text => {
                        let limiter = RateLimiter::new("api", text.parse()?)?.with_prefix(&prefix)?;
                        plans.push((name.clone(), limiter.with_timeout(PATIENCE)));
                    }
                }
            }
            let layer = RequestLimitLayer::by_plan(plans, header("x-plan"), sender("", PATIENCE), connection)?;
            layer.unlimited(&unlimited)
        };
        let layer: Result<Layer, ArgumentError> = made();
        let Some(expected) = each["limits"].as_object() else {
            let error = layer.unwrap_err().to_string();
            assert!(error.contains(each["says"].as_str().unwrap_or("")), "{error}");
            continue;
        };
        let site = Site::of(&[layer.unwrap()]).await;
        for (plan, text) in expected {
            let answer = site.get(&format!("X-Plan: {plan}\r\n")).await;
            let policy = text.as_str().map_or(String::new(), |text| {
                let limit: Limit = text.parse().unwrap();
                let units = limit.to_string().split([':', '/']).nth(1).unwrap().parse().unwrap();
                let decision = Decision {
                    granted: 1,
                    limit: units,
                    remaining: 0,
                    wait_us: 0,
                    reset_us: 0,
                    tier: 1,
                    enforced: true,
                    remembered: false,
                };
                let headers = RateLimitHeaders::new("api", limit).unwrap();
                headers.fields(&decision).unwrap().into_iter().next().unwrap().1
            });
            assert_eq!(field(&answer, "ratelimit-policy"), policy, "{}: {plan}", each["name"]);
        }
    }
}

/// What the package logs.
struct Logged(std::sync::Mutex<Vec<String>>);

impl log::Log for Logged {
    fn enabled(&self, _: &log::Metadata) -> bool {
        true
    }

    fn log(&self, record: &log::Record) {
        self.0.lock().unwrap().push(record.args().to_string());
    }

    fn flush(&self) {}
}

static LOGGED: Logged = Logged(std::sync::Mutex::new(vec![]));

#[tokio::test]
async fn a_layer_that_is_added_twice_is_told_once() {
    let Some(_one) = alone() else { return };
    log::set_logger(&LOGGED).unwrap();
    log::set_max_level(log::LevelFilter::Warn);
    let policy = random();
    let own = RateLimiter::new(&policy, hours(4)).unwrap().with_timeout(PATIENCE);
    let one = limits(own.clone());
    assert_eq!(Site::of(&[one.clone(), one]).await.statuses(3, "").await, "200 200 429");
    // Two subjects are not one.
    let (user, tenant) = (limits(own.clone()).key(|_| Some("user".into())), limits(own).key(|_| Some("tenant".into())));
    assert_eq!(Site::of(&[user, tenant]).await.statuses(1, "").await, "200");
    let told: Vec<_> = LOGGED.0.lock().unwrap().iter().filter(|line| line.contains(&policy)).cloned().collect();
    assert_eq!(
        told,
        [format!("policy {policy}: one request is counted twice: is the layer added twice on its route?")]
    );
}

#[tokio::test]
async fn what_two_policies_refuse() {
    let Some(_one) = alone() else { return };
    let refused = |layer: Result<Layer, ArgumentError>| layer.unwrap_err().to_string();
    let rule = "\"status\" and statuses from 100 to 599, such as status 401, 403 or status 4xx";
    assert_eq!(refused(limits(limiter(1)).charge_when("401")), format!("charge_when must be {rule}: \"401\""));
    let batches = RateLimiter::new("api", interval_bucket(1, 1, Duration::from_secs(1)).unwrap()).unwrap();
    let charged = refused(limits(batches).charge_when("status 401"));
    assert!(charged.contains("interval-bucket"), "{charged}");
    let same = Also::new(limiter(1), |_| None).unwrap();
    assert_eq!(refused(limits(limiter(1)).also(same)), "also must be another policy: \"api\"");
    assert_eq!(refused(limits(limiter(1)).on_event(|_| {})), "on_event must come after also or charge_when");
    let heard = refused(limits(limiter(1).on_outcome(|_| {})).charge_when("status 401"));
    assert_eq!(heard, "the limiter must not have remember_denials or on_outcome with also or charge_when: api");
}

#[tokio::test]
async fn without_a_decision() {
    let Some(_one) = alone() else { return };
    for (choice, want) in [(Choice::Fail, "503"), (Choice::Allow, "200"), (Choice::Deny, "503")] {
        // The limiter bounds a call, whatever the connection is set to.
        for connected in [SHORT, 60 * PATIENCE] {
            for (port, fault, end) in [("PROXY", "stop", "cont"), ("PROXY", "down", "up"), ("REDIS", "crash", "revive")]
            {
                let through = limiter(1).on_unavailable(choice);
                // Not by a request: to connect may take longer than that, and the verdict needs the connection of the question.
                let redis = asked(sender_to(port, "", connected)).await;
                let layer = |limiter| RequestLimitLayer::new(limiter, redis.clone(), connection).unwrap();
                let (short, long) = (layer(through.clone().with_timeout(SHORT)), layer(through));
                let site = Site::of(&[short]).await;
                servers_do(&[fault], "");
                let answer = tokio::time::timeout(PATIENCE, site.get("")).await;
                servers_do(&[end], "");
                let answer = answer.expect("the limiter ends a call");
                assert_eq!(&answer[9..12], want, "{fault} {choice:?}");
                assert_eq!(field(&answer, "ratelimit"), "");
                assert_eq!(!field(&answer, "retry-after").is_empty(), choice == Choice::Deny);
                if want == "503" {
                    assert_eq!(site.served.load(Ordering::SeqCst), 0);
                    assert_eq!(
                        body(&answer),
                        r#"{"type":"https://iana.org/assignments/http-problem-types#temporary-reduced-capacity","title":"Temporarily reduced capacity","status":503,"violated-policies":[]}"#
                    );
                }
                let (healed, begun) = (Site::of(&[long]).await, Instant::now());
                while healed.statuses(2, "").await != "429 429" {
                    assert!(begun.elapsed() < PATIENCE, "it never limits again");
                }
            }
        }
        let wrong = limiter(1).on_unavailable(choice).on_overload(Choice::Allow);
        let wrong = RequestLimitLayer::new(wrong, sender("nobody:wrong@", PATIENCE), connection).unwrap();
        let site = Site::of(&[wrong]).await;
        assert_eq!((site.statuses(2, "").await.as_str(), site.served.load(Ordering::SeqCst)), ("503 503", 0));
    }
}

#[tokio::test]
async fn no_request_is_served_unlimited_once_the_server_is_back() {
    let Some(_one) = alone() else { return };
    let site = Site::of(&[limits(limiter(1).on_unavailable(Choice::Allow))]).await;
    assert_eq!(site.statuses(2, "").await, "200 429");
    servers_do(&["down"], "");
    let served = site.statuses(3, "").await;
    servers_do(&["up"], "");
    assert_eq!((served.as_str(), site.statuses(2, "").await.as_str()), ("200 200 200", "429 429"));
}

#[tokio::test]
async fn what_a_layer_refuses() {
    let Some(_one) = alone() else { return };
    let leaky = RateLimiter::new("api", leaky_bucket(1, 1, Duration::from_secs(1)).unwrap()).unwrap();
    let refused = RequestLimitLayer::new(leaky, sender("", PATIENCE), connection).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "limits must not make callers wait, because a request needs an immediate response: leaky-bucket:1/1s"
    );
    let none: [(&str, RateLimiter); 0] = [];
    let refused = RequestLimitLayer::by_plan(none, |_| None, sender("", PATIENCE), connection).unwrap_err();
    assert_eq!(refused.to_string(), "plans must be at least one");
    let named = RequestLimitLayer::by_plan([("free", limiter(1))], |_| None, sender("", PATIENCE), connection).unwrap();
    let refused = named.unlimited(&["free"]).unwrap_err();
    assert_eq!(refused.to_string(), "unlimited must be names of plans without a limiter: \"free\"");
    let rule = "addresses, networks such as 10.0.0.0/8 with nothing set after the prefix, and not everybody";
    let refused = limits(limiter(1)).trusted_proxies(&["proxy"]).unwrap_err();
    assert_eq!(refused.to_string(), format!("trusted_proxies must be {rule}, IPv4 in its own notation: \"proxy\""));
    let refused = limits(limiter(1)).exempt(&["10.0.0.1/8"]).unwrap_err();
    assert_eq!(refused.to_string(), format!("exempt must be {rule}, IPv4 in its own notation: \"10.0.0.1/8\""));
}

#[tokio::test]
async fn the_readmes_layer_limits() {
    let Some(_one) = alone() else { return };
    let example = std::fs::read_to_string("examples/layer.rs").unwrap();
    assert!(std::fs::read_to_string("README.md").unwrap().contains(&format!("```rust\n{example}```")));
    let app = layer::limited(Router::new().route("/", get(|| async { "served" })), sender("", PATIENCE)).unwrap();
    let site = Site::serving(app, Arc::default()).await;
    let lines = format!("X-Api-Key: {}\r\n", random());
    let mut answers = 0;
    // A machine that stalls lets the time pass, and the call is allowed then.
    while site.statuses(1, &lines).await != "429" {
        answers += 1;
        assert!(answers < 10_000);
    }
    assert!(answers >= 100);
}
