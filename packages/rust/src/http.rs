//! Decisions as HTTP RateLimit fields and problem bodies; see docs/http.md.
use crate::protocol::{ArgumentError, Decision, Limit};
use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::fmt::Write;

/// The media type of problem bodies (RFC 9457).
pub const PROBLEM_TYPE: &str = "application/problem+json";
const TYPES: &str = "https://iana.org/assignments/http-problem-types#";

/// A version of draft-ietf-httpapi-ratelimit-headers, or the common `X-RateLimit` fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HeaderForm {
    /// `RateLimit-Policy: "api";q=100;w=10` and `RateLimit: "api";r=99;t=1`.
    #[default]
    Draft11,
    /// `RateLimit-Policy: 100;w=10` and `RateLimit: limit=100, remaining=99, reset=1`.
    Draft07,
    /// `RateLimit-Limit`, `-Remaining`, `-Reset` and `-Policy`.
    Draft06,
    /// `X-RateLimit-Limit`, `-Remaining` and `-Reset`.
    XRateLimit,
}

/// Formats the decisions of one policy as header fields and, for denials, as problem bodies.
#[derive(Debug, Clone)]
pub struct RateLimitHeaders {
    limit: Limit,
    names: Vec<String>,
    form: HeaderForm,
    unit: String,
}

impl RateLimitHeaders {
    /// Creates the headers for a policy, whose name is printable ASCII. By default, several tiers are named `api-1`, `api-2` and so on.
    pub fn new(policy: &str, limit: Limit) -> Result<Self, ArgumentError> {
        quoted("policy", policy)?;
        let tiers = limit.tiers().len();
        let names = match tiers {
            1 => vec![policy.to_string()],
            _ => (1..=tiers).map(|tier| format!("{policy}-{tier}")).collect(),
        };
        Ok(Self { limit, names, form: HeaderForm::default(), unit: String::new() })
    }

    /// Sets the format.
    pub fn form(self, form: HeaderForm) -> Self {
        Self { form, ..self }
    }

    /// Sets a different name for each tier, in printable ASCII.
    pub fn names(self, names: &[&str]) -> Result<Self, ArgumentError> {
        let tiers = self.limit.tiers().len();
        if names.len() != tiers || names.iter().collect::<BTreeSet<_>>().len() < tiers {
            return Err(ArgumentError(format!("names must be {tiers} names that differ: {names:?}")));
        }
        names.iter().try_for_each(|name| quoted("names", name).map(|_| ()))?;
        Ok(Self { names: names.iter().map(ToString::to_string).collect(), ..self })
    }

    /// Sets the unit, such as `content-bytes`, for limits that do not count requests. Only `Draft11` writes the unit.
    pub fn quota_unit(self, unit: &str) -> Result<Self, ArgumentError> {
        Ok(Self { unit: format!(";qu={}", quoted("quota_unit", unit)?), ..self })
    }

    /// Returns the fields in the order in which to write them. The remaining units are omitted if the server did not make the decision.
    pub fn fields(&self, decision: &Decision) -> Result<Vec<(&'static str, String)>, ArgumentError> {
        let more = until_more(&self.limit, self.tier(decision)?, decision).div_ceil(1_000_000);
        let mut fields = Vec::new();
        let policy = match self.form {
            HeaderForm::Draft11 => self.policy()?,
            HeaderForm::Draft07 | HeaderForm::Draft06 => self.old_policy(),
            HeaderForm::XRateLimit => String::new(),
        };
        if !policy.is_empty() {
            fields.push(("RateLimit-Policy", policy));
        }
        match self.form {
            HeaderForm::Draft11 if decision.enforced => {
                let name = quoted("names", &self.names[decision.tier as usize - 1])?;
                let time = if more == 0 { String::new() } else { format!(";t={more}") };
                fields.push(("RateLimit", format!("{name};r={}{time}", decision.remaining)));
            }
            HeaderForm::Draft11 => {}
            HeaderForm::Draft07 | HeaderForm::Draft06 => fields.extend(three_figures(self.form, decision, more)),
            HeaderForm::XRateLimit => {
                let reset = u128::from(decision.reset_us).div_ceil(1_000_000);
                fields.extend(three_figures(self.form, decision, reset));
            }
        }
        fields.extend(retry_after(decision));
        Ok(fields)
    }

    pub(crate) fn header_form(&self) -> HeaderForm {
        self.form
    }

    pub(crate) fn tier_names(&self) -> &[String] {
        &self.names
    }

    /// Returns the status of the response to a denied call: 429, or 503 if no decision could be made.
    pub fn status(denied: &Decision) -> u16 {
        if denied.enforced {
            429
        } else {
            503
        }
    }

    /// Returns the body of the response to a denied call, in ASCII; its media type is [`PROBLEM_TYPE`].
    pub fn problem(&self, denied: &Decision, detail: Option<&str>) -> Result<String, ArgumentError> {
        self.tier(denied)?;
        if denied.allowed() {
            return Err(ArgumentError(format!("denied must be a denial: {denied:?}")));
        }
        let violated = denied.enforced.then(|| &self.names[denied.tier as usize - 1]);
        Ok(problem_body(denied.enforced, violated.as_slice(), detail))
    }

    fn tier(&self, decision: &Decision) -> Result<&[u64], ArgumentError> {
        match self.limit.tiers().get((decision.tier as usize).wrapping_sub(1)) {
            Some(tier) if tier[0] == decision.limit => Ok(tier),
            _ => Err(ArgumentError(format!("decision must be about {}: {decision:?}", self.limit))),
        }
    }

    fn policy(&self) -> Result<String, ArgumentError> {
        let mut quotas = Vec::new();
        for (name, tier) in self.names.iter().zip(self.limit.tiers()) {
            let window = window_seconds(&self.limit, tier).map(|window| format!(";w={window}")).unwrap_or_default();
            quotas.push(format!("{};q={}{}{window}", quoted("names", name)?, tier[0], self.unit));
        }
        Ok(quotas.join(", "))
    }

    /// In this draft a window is required, and a quota may occur only once.
    fn old_policy(&self) -> String {
        let mut windows = BTreeMap::new();
        for tier in self.limit.tiers() {
            if let Some(window) = window_seconds(&self.limit, tier) {
                let longest = windows.entry(tier[0]).or_insert(window);
                *longest = window.max(*longest);
            }
        }
        windows.iter().map(|(quota, window)| format!("{quota};w={window}")).collect::<Vec<_>>().join(", ")
    }
}

pub(crate) fn retry_after(decision: &Decision) -> Option<(&'static str, String)> {
    let seconds = decision.retry_after_seconds().filter(|_| !decision.allowed())?;
    Some(("Retry-After", seconds.to_string()))
}

/// Returns the fields of a decision in the formats other than `Draft11`.
pub(crate) fn three_figures(form: HeaderForm, decision: &Decision, reset: u128) -> Vec<(&'static str, String)> {
    let (limit, remaining) = (decision.limit, decision.remaining);
    let names = match form {
        _ if !decision.enforced => return vec![],
        HeaderForm::Draft07 => {
            return vec![("RateLimit", format!("limit={limit}, remaining={remaining}, reset={reset}"))]
        }
        HeaderForm::XRateLimit => ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
        _ => ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"],
    };
    names.into_iter().zip([limit.to_string(), remaining.to_string(), reset.to_string()]).collect()
}

pub(crate) fn problem_body(exceeded: bool, violated: &[&String], detail: Option<&str>) -> String {
    let (problem, title, status) = match exceeded {
        true => ("quota-exceeded", "Quota exceeded", 429),
        false => ("temporary-reduced-capacity", "Temporarily reduced capacity", 503),
    };
    let violated = violated.iter().map(|name| json(name)).collect::<Vec<_>>().join(",");
    let detail = detail.map(|text| format!(",\"detail\":{}", json(text))).unwrap_or_default();
    format!(
        "{{\"type\":\"{TYPES}{problem}\",\"title\":\"{title}\",\"status\":{status}{detail},\"violated-policies\":[{violated}]}}"
    )
}

/// Returns the time in which a tier refills completely, in seconds, if it is a whole number.
fn window_seconds(limit: &Limit, tier: &[u64]) -> Option<u128> {
    let [capacity, each, period] = numbers(tier);
    let units = if limit.script().refill == "in_batches" { each.min(capacity) } else { each };
    let (micros, second) = (capacity * period, units * 1_000_000);
    (micros % second == 0).then_some(micros / second)
}

/// Returns an upper bound of the time in microseconds until more units are available than now; 0 if there cannot be more.
fn until_more(limit: &Limit, tier: &[u64], decision: &Decision) -> u128 {
    let [capacity, units, period] = numbers(tier);
    let (missing, reset) = (capacity.saturating_sub(decision.remaining.into()), u128::from(decision.reset_us));
    if missing < 1 || reset == 0 {
        return 0;
    }
    let more = match limit.script().refill {
        "evenly" => reset.saturating_sub((missing - 1) * period / units),
        "in_batches" => reset.saturating_sub((missing - 1) / units * period),
        // The units of the older window are unknown. If there are none, this bound is exact; otherwise more units are available earlier.
        "fading" if reset > period && (decision.allowed() || decision.remaining > 0) => {
            reset - period + (period - 1) / missing + 1
        }
        _ => reset,
    };
    match u128::try_from(decision.wait_us) {
        Ok(wait) if !decision.allowed() => more.min(wait).max(1),
        _ => more.max(1),
    }
}

fn numbers(tier: &[u64]) -> [u128; 3] {
    [tier[0], tier[tier.len() - 2], tier[tier.len() - 1]].map(u128::from)
}

/// Formats a string of structured fields (RFC 9651).
pub(crate) fn quoted(name: &str, text: &str) -> Result<String, ArgumentError> {
    if text.is_empty() || !text.bytes().all(|c| (b' '..0x7f).contains(&c)) {
        return Err(ArgumentError(format!("{name} must be printable ASCII of at least one character: {text:?}")));
    }
    Ok(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
}

/// Formats a JSON string in ASCII.
fn json(text: &str) -> String {
    let mut json = String::from("\"");
    for unit in text.encode_utf16() {
        match u8::try_from(unit).map(char::from) {
            Ok(c @ ('"' | '\\')) => json.extend(['\\', c]),
            Ok(c @ ' '..='~') => json.push(c),
            _ => write!(json, "\\u{unit:04x}").expect("a string takes it"),
        }
    }
    json.push('"');
    json
}
