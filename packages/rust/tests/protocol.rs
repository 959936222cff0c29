//! The pure functions, without std and without a client.

use penstock_redis::{
    classify, fixed_window, key, proves_not_run, token_bucket, ArgumentError, CallId, CombinedHeaders, Decision,
    EntryLimit, HeaderForm, Limit, RateLimitHeaders, RateLimiter, Reservations, ReserveCall, SettleResult, SCRIPTS,
};
use serde_json::Value;
use std::time::Duration;
use vectors::{all, vectors};

mod vectors;

const SECOND: Duration = Duration::from_secs(1);

/// Checked, not run: a call that is not sent is warned of.
#[allow(dead_code)]
#[deny(unfulfilled_lint_expectations)]
fn a_call_must_be_used(limiter: &RateLimiter) {
    #[expect(unused_must_use)]
    limiter.calls().acquire("a").unwrap();
    #[expect(unused_must_use)]
    Decision::read(&[1, 1, 1, 0, 0, 1], 1).unwrap();
}

#[test]
fn keys() {
    for example in vectors("keys", "keys", all) {
        let script = SCRIPTS.iter().find(|script| script.name == example["script"]).unwrap();
        let limit = Limit::new(script, serde_json::from_value(example["tiers"].clone()).unwrap()).unwrap();
        let hex = example["subject_hex"].as_str().unwrap();
        let subject: Vec<u8> =
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect();
        let made = key(example["prefix"].as_str().unwrap(), example["policy"].as_str().unwrap(), &subject, &limit);
        match example["key"].as_str() {
            Some(expected) => assert_eq!(made.unwrap(), expected.as_bytes(), "{example}"),
            None => {
                let begins = format!("{} must ", example["error"].as_str().unwrap());
                assert!(made.unwrap_err().to_string().starts_with(&begins), "{example}");
            }
        }
    }
}

#[test]
fn decisions() {
    let read = |reply: [i64; 6]| Decision::read(&reply, 1).unwrap();
    let denied = read([0, 100, 3, 1_000_001, 5, 1]);
    assert!(!denied.allowed());
    assert_eq!(denied.retry_after(), Some(SECOND + Duration::from_micros(1)));
    assert_eq!(denied.retry_after_seconds(), Some(2));
    assert_eq!((denied.delay(), denied.reset_after()), (Duration::ZERO, Duration::from_micros(5)));
    let turn = read([1, 100, 3, 2_000_000, 5, 1]);
    assert!(turn.allowed());
    assert_eq!((turn.retry_after(), turn.retry_after_seconds()), (Some(Duration::ZERO), Some(0)));
    assert_eq!(turn.delay(), 2 * SECOND);
    assert_eq!(read([0, 100, 3, -1, 5, 1]).retry_after(), None);
    assert_eq!(Decision::read(&[2, 3, 1, 0, 5, 1], 2).unwrap().granted, 2);
}

#[test]
fn decisions_of_the_vectors() {
    for example in vectors("decisions", "decisions", all) {
        let reply: Vec<i64> = serde_json::from_value(example["reply"].clone()).unwrap();
        let read = Decision::read(&reply, 1).unwrap();
        assert_eq!(read.allowed(), example["allowed"], "{example}");
        assert_eq!(read.impossible(), example["impossible"], "{example}");
        assert_eq!(read.retry_after_seconds(), example["retry_after_seconds"].as_u64(), "{example}");
        assert_eq!(read.delay().as_micros(), u128::from(example["delay_us"].as_u64().unwrap()), "{example}");
    }
}

#[test]
fn commands_of_the_vectors() {
    let is_ours = |case: &Value| ["cost", "calls", "units"].iter().all(|name| case[name].as_i64().unwrap_or(0) >= 0);
    for case in vectors("commands", "commands", is_ours) {
        let limit: Limit = case["limit"].as_str().unwrap().parse().unwrap();
        let (limiter, who) = (RateLimiter::new("api", limit.clone()).unwrap(), "user:42");
        let [cost, calls, units] = ["cost", "calls", "units"].map(|name| case[name].as_u64().unwrap_or(0));
        let made = match case["call"].as_str().unwrap() {
            "acquire" => limiter.calls().acquire_n(who, cost),
            "acquire_up_to" => limiter.calls().acquire_up_to(who, calls, cost),
            "peek" => limiter.calls().peek(who),
            "refund" => limiter.calls().refund(who, units),
            "reset" => limiter.calls().reset(who),
            other => panic!("{other}"),
        };
        if let Some(argument) = case["error"].as_str() {
            assert!(made.unwrap_err().to_string().starts_with(&format!("{argument} must ")), "{case}");
            continue;
        }
        let (made, key) = (made.unwrap(), key("penstock", "api", who, &limit).unwrap());
        let args: Vec<String> = serde_json::from_value(case["args"].clone()).unwrap();
        let mut words = vec![&b"EVALSHA"[..], limit.script().sha1.as_bytes(), b"1", &key];
        words.extend(args.iter().map(|arg| arg.as_bytes()));
        assert_eq!(made.words(), words, "{case}");
    }
}

#[test]
fn unreadable_replies_of_the_vectors() {
    let is_ours = |case: &Value| case["reply"].as_array().is_some_and(|reply| reply.iter().all(Value::is_i64));
    for case in vectors("commands", "unreadable", is_ours) {
        let reply: Vec<i64> = serde_json::from_value(case["reply"].clone()).unwrap();
        let error = Decision::read(&reply, case["calls"].as_u64().unwrap()).unwrap_err();
        assert!(error.to_string().starts_with("the reply must"), "{case}");
    }
}

#[test]
fn errors_of_the_vectors() {
    for case in vectors("errors", "cases", |case| case["client"] == "server" || case["client"] == "redis-rs") {
        let meaning = classify(case["text"].as_str().unwrap());
        let kind = format!("{:?}", meaning.kind).to_lowercase();
        assert_eq!(kind, case["class"].as_str().unwrap().replace('_', ""), "{case}");
        assert_eq!(meaning.charged, case["charged"].as_bool().unwrap_or(true), "{case}");
    }
}

#[test]
fn limits_of_the_vectors() {
    for example in vectors("limits", "limits", all) {
        let text = example["text"].as_str().unwrap();
        let limit = text.parse::<Limit>();
        if let Some(at) = example["error_at"].as_u64() {
            let error = limit.unwrap_err().to_string();
            assert!(error.starts_with(&format!("limit \"{text}\" at {at}, \"")), "{error}");
            let hint =
                example["did_you_mean"].as_str().map_or(String::new(), |meant| format!("; did you mean \"{meant}\"?"));
            assert!(error.ends_with(&hint) && error.contains("did you mean") != hint.is_empty(), "{error}");
            continue;
        }
        let limit = limit.unwrap();
        assert_eq!(limit.script().name, example["script"], "{example}");
        assert_eq!(serde_json::json!(limit.args()), example["arguments"], "{example}");
        assert_eq!(limit.marker(), example["marker"], "{example}");
        assert_eq!(limit.to_string(), example["normal"], "{example}");
        assert_eq!(limit, limit.to_string().parse().unwrap(), "{example}");
    }
}

fn form_of(example: &Value) -> HeaderForm {
    match example["form"].as_str().unwrap_or("draft-11") {
        "draft-11" => HeaderForm::Draft11,
        "draft-07" => HeaderForm::Draft07,
        "draft-06" => HeaderForm::Draft06,
        "x-rate-limit" => HeaderForm::XRateLimit,
        other => panic!("{other}"),
    }
}

fn check_combined(headers: &CombinedHeaders, example: &Value) {
    assert_eq!(serde_json::json!(headers.fields()), example["fields"], "{example}");
    assert_eq!(serde_json::json!(headers.status()), example["status"], "{example}");
    match headers.problem(None) {
        Ok(problem) => assert_eq!(serde_json::from_str::<Value>(&problem).unwrap(), example["problem"]),
        Err(error) => {
            assert!(example["status"].is_null() && error.to_string().starts_with("a policy must deny"), "{error}")
        }
    }
}

#[test]
fn several_answers_of_the_vectors() {
    for example in vectors("http", "several", all) {
        let form = form_of(&example);
        let answers = example["policies"].as_array().unwrap().iter().map(|each| {
            let limit = each["limit"].as_str().unwrap().parse().unwrap();
            let reply: Vec<i64> = serde_json::from_value(each["reply"].clone()).unwrap();
            let enforced = each["enforced"].as_bool().unwrap_or(true);
            let headers = RateLimitHeaders::new(each["policy"].as_str().unwrap(), limit).unwrap().form(form);
            (headers, Decision { enforced, ..Decision::read(&reply, 1).unwrap() })
        });
        let answers: Vec<_> = answers.collect();
        let answers: Vec<_> = answers.iter().map(|(headers, decision)| (headers, *decision)).collect();
        check_combined(&CombinedHeaders::new(&answers).unwrap(), &example);
    }
    let api = RateLimitHeaders::new("api", token_bucket(100, 10, SECOND).unwrap()).unwrap();
    let decision = Decision::read(&[1, 100, 99, 0, 100_000, 1], 1).unwrap();
    let other = api.clone().form(HeaderForm::Draft07);
    for answers in [&[][..], &[(&api, decision), (&other, decision)]] {
        assert!(CombinedHeaders::new(answers).unwrap_err().to_string().starts_with("answers must be"));
    }
}

#[test]
fn calls_under_several_limits_have_fields() {
    for example in vectors("http", "reservations", all) {
        let entries = example["entries"].as_array().unwrap().iter().map(|each| {
            let text = |name: &str| each[name].as_str();
            let limit = EntryLimit::parse(text("policy").unwrap(), text("limit").unwrap()).unwrap();
            let entry = if text("mode") == Some("charge") { limit.charge(1) } else { limit.reserve(1) };
            text("within").map_or(entry.clone(), |who| entry.unwrap().within(who)).unwrap()
        });
        let entries: Vec<_> = entries.collect();
        let llm = Reservations::new("llm", SECOND).unwrap();
        let reply: Vec<i64> = serde_json::from_value(example["reply"].clone()).unwrap();
        let call = llm.reserve_with_id(CallId::new("id").unwrap(), "g", &entries).unwrap().read(&reply).unwrap();
        check_combined(&CombinedHeaders::of(&call, form_of(&example)).unwrap(), &example);
    }
}

#[test]
fn answers_of_the_vectors() {
    for example in vectors("http", "answers", all) {
        let text = |name: &str| example[name].as_str();
        let mut headers =
            RateLimitHeaders::new(text("policy").unwrap(), text("limit").unwrap().parse().unwrap()).unwrap();
        headers = headers.form(form_of(&example));
        if let Some(names) = example["names"].as_array() {
            headers = headers.names(&names.iter().map(|name| name.as_str().unwrap()).collect::<Vec<_>>()).unwrap();
        }
        if let Some(unit) = text("quota_unit") {
            headers = headers.quota_unit(unit).unwrap();
        }
        let reply: Vec<i64> = serde_json::from_value(example["reply"].clone()).unwrap();
        let enforced = example["enforced"].as_bool().unwrap_or(true);
        let decision = Decision { enforced, ..Decision::read(&reply, 1).unwrap() };
        assert_eq!(serde_json::json!(headers.fields(&decision).unwrap()), example["fields"], "{example}");
        let problem = headers.problem(&decision, text("detail"));
        if decision.allowed() {
            assert!(problem.unwrap_err().to_string().starts_with("denied must"));
            continue;
        }
        let problem = problem.unwrap();
        assert!(problem.is_ascii() && !problem.contains('\u{7f}'), "{problem}");
        assert_eq!(serde_json::from_str::<Value>(&problem).unwrap(), example["problem"]);
        assert_eq!(RateLimitHeaders::status(&decision), example["status"], "{example}");
    }
}

#[test]
fn what_a_field_cannot_hold() {
    let headers = RateLimitHeaders::new("api", token_bucket(100, 10, SECOND).unwrap()).unwrap();
    for name in ["", "t\u{e4}glich", "a\nb", "\u{7f}"] {
        let policy = RateLimitHeaders::new(name, token_bucket(100, 10, SECOND).unwrap()).unwrap_err();
        let names = headers.clone().names(&[name]).unwrap_err();
        let unit = headers.clone().quota_unit(name).unwrap_err();
        for (argument, error) in [("policy", policy), ("names", names), ("quota_unit", unit)] {
            assert!(error.to_string().starts_with(&format!("{argument} must")), "{error}");
        }
    }
    assert!(headers.clone().names(&["a", "b"]).unwrap_err().to_string().starts_with("names must"));
    let another = Decision::read(&[1, 50, 49, 0, 1, 1], 1).unwrap();
    assert!(headers.fields(&another).unwrap_err().to_string().starts_with("decision must"));
}

#[test]
fn bounds() {
    let year = Duration::from_secs(366 * 86_400);
    let limit = || fixed_window(1, SECOND).unwrap();
    let wrong = [
        (token_bucket(0, 1, SECOND), "capacity must"),
        (token_bucket(1_000_000_000_001, 1, SECOND), "capacity must"),
        (token_bucket(1, 1, Duration::ZERO), "refill_period_us must"),
        (token_bucket(1, 1, year + Duration::from_micros(1)), "refill_period_us must"),
        (token_bucket(1, 1, Duration::MAX), "refill_period must be whole"),
        (token_bucket(1, 1, Duration::from_secs(u64::MAX)), "refill_period_us must"),
        (token_bucket(1, 1, Duration::from_nanos(1500)), "refill_period must be whole"),
        (limit().and(&token_bucket(1, 1, SECOND).unwrap()), "tiers must be of one script"),
        (Limit::new(SCRIPTS[0], vec![]), "tiers must be 1 to 16"),
        (Limit::new(SCRIPTS[0], vec![vec![1, 1]; 17]), "tiers must be 1 to 16"),
        (Limit::new(SCRIPTS[0], vec![vec![1]]), "a tier must be"),
    ];
    for (made, begins) in wrong {
        let error = made.unwrap_err().to_string();
        assert!(error.starts_with(begins), "{error}");
    }
    assert!(RateLimiter::new("a b", limit()).unwrap_err().to_string().starts_with("policy must"));
    let limiter = RateLimiter::new("api", limit()).unwrap();
    assert!(limiter.clone().with_prefix("").unwrap_err().to_string().starts_with("prefix must"));
    assert!(limiter.calls().acquire("").unwrap_err().to_string().starts_with("subject must"));
    assert!(limiter.calls().acquire_n("a", 0).unwrap_err().to_string().starts_with("cost must"));
    assert!(limiter.calls().acquire_up_to("a", 100_000_000_001, 10).unwrap_err().to_string().starts_with("calls must"));
    assert!(limiter.calls().refund("a", 0).unwrap_err().to_string().starts_with("units must"));
    let both = token_bucket(10, 10, SECOND).unwrap().and(&token_bucket(100, 50, 60 * SECOND).unwrap()).unwrap();
    assert_eq!(both.marker(), "b10.10.1000000-100.50.60000000");
    assert_eq!(both.args().join(" "), "10 10 1000000 100 50 60000000");
}

#[test]
fn what_an_error_proves() {
    let proofs = [
        "NOSCRIPT No matching script.",
        "MOVED 1 host:1",
        "ASK 1 host:1",
        "ERR Error running script (call to f_x): @user_script:9: -READONLY You can't",
        "OOM command not allowed",
        "BUSY Redis is busy",
        "ERR Function not found",
        "ERR unknown command 'FCALL'",
        "ERR penstock token-bucket: cost must",
        "ERR The user executing the script can't run this command or subcommand script: x",
        "WRONGTYPE Operation against",
        "MASTERDOWN Link with MASTER is down",
        "TRYAGAIN Multiple keys request",
        "CROSSSLOT Keys in request",
        "ERR max number of clients reached",
        "DENIED Redis is running in protected mode",
    ];
    let none = ["ERR ASK again", "BUSYGROUP Consumer Group", "ROOM 1", "MOVEDX 1", "ERR timed out upstream", ""];
    assert!(proofs.iter().all(|text| proves_not_run(text)));
    assert!(!none.iter().any(|text| proves_not_run(text)));
}

fn texts(list: &Value) -> Vec<Vec<u8>> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap().as_bytes().to_vec()).collect()
}

fn numbers(vector: &Value) -> Vec<i64> {
    serde_json::from_value(vector["reply"].clone()).unwrap()
}

fn published_call(call: &Value) -> Result<ReserveCall, ArgumentError> {
    let text = |of: &Value, name: &str| of[name].as_str().unwrap().to_string();
    let keep = Duration::from_micros(call["keep_us"].as_u64().unwrap());
    let llm = Reservations::new("llm", keep)?.with_prefix(&text(call, "prefix"))?;
    let mut entries = Vec::new();
    for entry in call["entries"].as_array().unwrap() {
        let limit = EntryLimit::parse(&text(entry, "policy"), &text(entry, "limit"))?;
        let units = entry["units"].as_u64().unwrap();
        let made = match text(entry, "mode").as_str() {
            "charge" => limit.charge(units)?,
            "reserve" => limit.reserve(units)?,
            _ => limit.debit(units)?,
        };
        entries.push(match entry["within"].as_str() {
            Some(who) => made.within(who)?,
            None => made,
        });
    }
    llm.reserve_with_id(CallId::new(&text(call, "id"))?, text(call, "group"), &entries)
}

fn published_limits(vector: &Value) -> ReserveCall {
    let limits = vector["limits"].as_array().unwrap();
    let entries: Vec<_> = (0..limits.len())
        .map(|at| EntryLimit::parse(&format!("p{at}"), limits[at].as_str().unwrap()).unwrap().reserve(1).unwrap())
        .collect();
    let llm = Reservations::new("llm", SECOND).unwrap();
    llm.reserve_with_id(CallId::new("id").unwrap(), "g", &entries).unwrap()
}

fn allowed_reply(entries: usize) -> Vec<i64> {
    [vec![1, 0, 0, 0], [10, 9, 1, 5, 1].repeat(entries)].concat()
}

#[test]
fn calls_of_the_vectors() {
    for call in vectors("calls", "calls", all) {
        let made = published_call(&call);
        if call.get("error").is_some() {
            assert!(made.is_err(), "{call}");
            continue;
        }
        let (made, keys, settle_keys) = (made.unwrap(), texts(&call["keys"]), texts(&call["settle_keys"]));
        let words = made.words();
        assert_eq!(words[2], keys.len().to_string().as_bytes());
        assert_eq!(words[3..], [keys.clone(), texts(&call["args"])].concat(), "{call}");
        let held = made.read(&allowed_reply(keys.len() - 1)).unwrap();
        assert_eq!(held.cancel().words()[3..3 + settle_keys.len()], settle_keys, "{call}");
    }
}

#[test]
fn replies_of_the_vectors() {
    for vector in vectors("calls", "replies", all) {
        let (call, reply) = (published_limits(&vector), numbers(&vector));
        let read = call.read(&reply);
        if vector.get("error").is_some() {
            assert!(read.is_err(), "{vector}");
            continue;
        }
        let call = read.unwrap();
        let answer = call.answer();
        assert_eq!((Some(answer.allowed), answer.enforced), (vector["allowed"].as_bool(), true), "{vector}");
        assert_eq!(Some(answer.repeated), vector["repeated"].as_bool(), "{vector}");
        assert_eq!(answer.denying.map(|at| at as u64), vector["denying"].as_u64(), "{vector}");
        assert_eq!(answer.retry_after_seconds(), vector["retry_after_seconds"].as_u64(), "{vector}");
        assert_eq!(Some(answer.delay().as_micros() as u64), vector["delay_us"].as_u64(), "{vector}");
        let usages: Vec<i64> = answer
            .usages
            .iter()
            .flat_map(|usage| [usage.limit, usage.remaining, usage.held, usage.reset_us, usage.tier])
            .map(|number| number as i64)
            .collect();
        assert_eq!(usages, reply[4..], "{vector}");
    }
}

#[test]
fn settlements_of_the_vectors() {
    for vector in vectors("calls", "settlements", all) {
        let made = published_limits(&vector);
        let call = made.read(&allowed_reply(vector["limits"].as_array().unwrap().len())).unwrap();
        match (call.cancel().read(&numbers(&vector)), vector.get("settled")) {
            (Ok(result), Some(settled)) => assert_eq!(result == SettleResult::Settled, *settled == true, "{vector}"),
            (result, settled) => assert!(result.is_err() && settled.is_none(), "{vector}"),
        }
    }
}
