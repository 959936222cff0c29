//! The headers of a plan of an HTTP layer for its decisions.

use crate::callers::strictest;
use crate::protocol::{ArgumentError, Decision};
use crate::{CombinedHeaders, HeaderForm, Limit, RateLimitHeaders, RateLimiter, PROBLEM_TYPE};
use alloc::{collections::BTreeMap, format, string::String, sync::Arc, vec::Vec};
use http::{header, request::Parts, HeaderMap, HeaderValue, Response, StatusCode};
use std::sync::{Mutex, PoisonError};

/// A limiter with its fields.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) limiter: RateLimiter,
    headers: Arc<RateLimitHeaders>,
}

/// The decisions about a request so far, and their charges, in its extensions.
#[derive(Clone, Default)]
pub(crate) struct Answers {
    decided: Vec<(Arc<RateLimitHeaders>, Decision)>,
    charged: Vec<String>,
}

impl Answers {
    /// Returns whether a request charges this for the second time.
    pub(crate) fn charges_again(&mut self, charged: String) -> bool {
        let again = self.charged.contains(&charged);
        self.charged.push(charged);
        again
    }

    pub(crate) fn add(&mut self, plan: &Plan, decision: Decision) {
        self.decided.push((plan.headers.clone(), decision));
    }
}

impl Plan {
    pub(crate) fn new(limiter: RateLimiter, form: HeaderForm) -> Result<Self, ArgumentError> {
        let limit = limiter.limit();
        if limit.script().queues {
            let rule = "limits must be none whose callers wait, since a request is answered at once";
            return Err(ArgumentError(format!("{rule}: {limit}")));
        }
        let headers = Arc::new(RateLimitHeaders::new(limiter.policy(), limit.clone())?.form(form));
        Ok(Self { limiter, headers })
    }

    pub(crate) fn form(&self) -> HeaderForm {
        self.headers.header_form()
    }

    /// The outcome of a call that ended with an error.
    pub(crate) fn undecided(&self) -> Decision {
        let limit = self.limiter.limit().tiers()[0][0];
        let (enforced, remembered) = (false, false);
        Decision { granted: 0, limit, remaining: 0, wait_us: -1, reset_us: 0, tier: 1, enforced, remembered }
    }

    /// The fields of all limits of a request that have decided, in the form of this one's.
    pub(crate) fn fields(&self, answers: &Answers) -> Vec<(&'static str, String)> {
        let form = self.headers.header_form();
        let alike = answers.decided.iter().filter(|(headers, _)| headers.header_form() == form);
        let alike: Vec<_> = alike.map(|(headers, decision)| (&**headers, *decision)).collect();
        CombinedHeaders::new(&alike).map(|headers| headers.fields()).unwrap_or_default()
    }

    pub(crate) fn denial<Body: From<String>>(&self, denied: &Decision) -> Response<Body> {
        let mut answer = Response::new(Body::from(self.headers.problem(denied, None).unwrap_or_default()));
        *answer.status_mut() = StatusCode::from_u16(RateLimitHeaders::status(denied)).expect("a status");
        answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_TYPE));
        answer
    }
}

/// Adds fields to a response, whose existing fields stay: an inner layer has written them.
pub(crate) fn add(fields: Vec<(&'static str, String)>, headers: &mut HeaderMap) {
    for (name, value) in fields {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.entry(name).or_insert(value);
        }
    }
}

pub(crate) type Find<T> = Arc<dyn Fn(&Parts) -> T + Send + Sync>;

/// Limits that functions find, of which each has a limiter.
const MOST_OWN: usize = 1_000;

/// A policy's limits, and the functions that classify a request under it.
#[derive(Clone)]
pub(crate) struct PolicyPlans {
    pub(crate) plans: BTreeMap<String, Plan>,
    strictest: String,
    unlimited: Vec<String>,
    plan: Find<Option<String>>,
    pub(crate) limit_of: Find<Option<Limit>>,
    pub(crate) own: Arc<Mutex<BTreeMap<String, Plan>>>,
    pub(crate) key: Find<Option<String>>,
    pub(crate) cost: Option<Find<u64>>,
}

impl PolicyPlans {
    pub(crate) fn new<Name: Into<String>>(
        plans: impl IntoIterator<Item = (Name, RateLimiter)>,
        plan: impl Fn(&Parts) -> Option<String> + Send + Sync + 'static,
    ) -> Result<Self, ArgumentError> {
        let mut named = BTreeMap::new();
        for (name, limiter) in plans {
            named.insert(name.into(), Plan::new(limiter, HeaderForm::default())?);
        }
        let strictest = strictest(named.iter().map(|(name, plan)| (name, plan.limiter.limit()))).cloned();
        Ok(Self {
            strictest: strictest.ok_or_else(|| ArgumentError("plans must be at least one".into()))?,
            plans: named,
            unlimited: Vec::new(),
            plan: Arc::new(plan),
            limit_of: Arc::new(|_| None),
            own: Arc::default(),
            key: Arc::new(|_| None),
            cost: None,
        })
    }

    pub(crate) fn set_unlimited(&mut self, plans: &[&str]) -> Result<(), ArgumentError> {
        if let Some(name) = plans.iter().find(|name| self.plans.contains_key(**name)) {
            return Err(ArgumentError(format!("unlimited must be names of plans without a limiter: {name:?}")));
        }
        self.unlimited = plans.iter().map(|name| String::from(*name)).collect();
        Ok(())
    }

    pub(crate) fn names(&self) -> Vec<&String> {
        self.plans.keys().collect()
    }

    pub(crate) fn strictest(&self) -> &Plan {
        &self.plans[&self.strictest]
    }

    /// The plan of a request; `None` if it is unlimited.
    pub(crate) fn of(&self, parts: &Parts) -> Option<Plan> {
        let name = (self.plan)(parts);
        if name.as_ref().is_some_and(|name| self.unlimited.contains(name)) {
            return None;
        }
        let plan = name.and_then(|name| self.plans.get(&name)).unwrap_or_else(|| self.strictest());
        let own = (self.limit_of)(parts).and_then(|limit| self.own_plan(plan, limit));
        Some(own.unwrap_or_else(|| plan.clone()))
    }

    /// The plan of a limit that a function found, by the limiter of the plan that the request has without.
    fn own_plan(&self, without: &Plan, limit: Limit) -> Option<Plan> {
        let name = format!("{} {} {limit}", without.limiter.policy(), without.limiter.limit());
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = own.get(&name) {
            return Some(plan.clone());
        }
        let plan =
            without.limiter.clone().with_limit(limit).and_then(|limiter| Plan::new(limiter, without.form())).ok()?;
        if own.len() >= MOST_OWN {
            own.clear();
        }
        own.insert(name, plan.clone());
        Some(plan)
    }
}
