//! The plans of an HTTP layer, and the header fields for their decisions.

use crate::callers::strictest;
use crate::protocol::{ArgumentError, Decision};
use crate::{CombinedHeaders, HeaderForm, Limit, RateLimitHeaders, RateLimiter, PROBLEM_TYPE};
use alloc::{collections::BTreeMap, format, string::String, sync::Arc, vec::Vec};
use http::{header, request::Parts, HeaderMap, HeaderValue, Response, StatusCode};
use std::sync::{Mutex, PoisonError};

/// A limiter and its header fields.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) limiter: RateLimiter,
    headers: Arc<RateLimitHeaders>,
}

/// The decisions made so far about a request, and their charges, stored in the request's extensions.
#[derive(Clone, Default)]
pub(crate) struct Answers {
    decided: Vec<(Arc<RateLimitHeaders>, Decision)>,
    charged: Vec<String>,
}

impl Answers {
    /// Returns whether this charge has already been made for the request.
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
            let rule = "limits must not make callers wait, because a request needs an immediate response";
            return Err(ArgumentError(format!("{rule}: {limit}")));
        }
        let headers = Arc::new(RateLimitHeaders::new(limiter.policy(), limit.clone())?.form(form));
        Ok(Self { limiter, headers })
    }

    pub(crate) fn form(&self) -> HeaderForm {
        self.headers.header_form()
    }

    /// Returns the decision for a call that failed.
    pub(crate) fn undecided(&self) -> Decision {
        let limit = self.limiter.limit().tiers()[0][0];
        let (enforced, remembered) = (false, false);
        Decision { granted: 0, limit, remaining: 0, wait_us: -1, reset_us: 0, tier: 1, enforced, remembered }
    }

    /// Returns the fields of all limits that have been applied to the request, in the format of this plan.
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

/// Adds fields to a response, but keeps any that it already has: an inner layer wrote them.
pub(crate) fn add(fields: Vec<(&'static str, String)>, headers: &mut HeaderMap) {
    for (name, value) in fields {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.entry(name).or_insert(value);
        }
    }
}

pub(crate) type Find<T> = Arc<dyn Fn(&Parts) -> T + Send + Sync>;

/// The maximum number of limiters that are kept for limits that functions returned.
const MOST_OWN: usize = 1_000;

/// A policy's limits, and the functions that choose one for a request.
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

    /// Returns the plan of a request; `None` if the request is unlimited.
    pub(crate) fn of(&self, parts: &Parts) -> Option<Plan> {
        let name = (self.plan)(parts);
        if name.as_ref().is_some_and(|name| self.unlimited.contains(name)) {
            return None;
        }
        let plan = name.and_then(|name| self.plans.get(&name)).unwrap_or_else(|| self.strictest());
        let own = (self.limit_of)(parts).and_then(|limit| self.own_plan(plan, limit));
        Some(own.unwrap_or_else(|| plan.clone()))
    }

    /// Returns the plan for a limit that a function returned, made from the limiter of the request's usual plan.
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
