//! The units that a request needs under one policy or two, and the units held until its response is known.

use crate::callers::address_subject;
use crate::plans::{Plan, PolicyPlans};
use crate::protocol::ArgumentError;
use crate::{AsyncSender, Decision, EntryCost, EntryLimit, HeaderForm, Limit, RateLimiter, Reservation, SettleResult};
use alloc::{borrow::ToOwned, format, string::String, vec, vec::Vec};
use core::net::IpAddr;
use core::ops::RangeInclusive;
use core::time::Duration;
use http::request::Parts;
use std::time::Instant;

/// How long a request may hold units before its response is known.
pub(crate) const HELD: Duration = Duration::from_secs(60);

/// The statuses of `charge_when`.
#[derive(Debug, Clone)]
pub(crate) struct Statuses(Vec<RangeInclusive<u16>>);

impl Statuses {
    pub(crate) fn new(text: &str) -> Result<Self, ArgumentError> {
        let named = text.strip_prefix("status ").unwrap_or_default();
        let statuses: Option<Vec<_>> = named.split(',').map(|status| Self::range(status.trim())).collect();
        statuses.map(Self).ok_or_else(|| {
            let rule = "\"status\" and statuses from 100 to 599, such as status 401, 403 or status 4xx";
            ArgumentError(format!("charge_when must be {rule}: {text:?}"))
        })
    }

    fn range(status: &str) -> Option<RangeInclusive<u16>> {
        let is_right = status.len() == 3 && status.starts_with(|first| ('1'..='5').contains(&first));
        let (first, others) = is_right.then(|| status.split_at(1))?;
        let hundred = first.parse::<u16>().ok()? * 100;
        match others {
            "xx" => Some(hundred..=hundred + 99),
            _ if others.bytes().all(|digit| digit.is_ascii_digit()) => {
                let status = hundred + others.parse::<u16>().ok()?;
                Some(status..=status)
            }
            _ => None,
        }
    }

    pub(crate) fn contains(&self, status: u16) -> bool {
        self.0.iter().any(|range| range.contains(&status))
    }
}

/// A second policy for the same requests. A request is charged under both policies or under neither. Adding a second policy has three
/// consequences: a user of two tenants is counted separately in each, all keys of a tenant are in one slot of a cluster, and existing
/// counts are lost once, because the keys move to the tenant's hash tag.
#[derive(Clone)]
pub struct Also(pub(crate) PolicyPlans);

impl Also {
    /// Creates a policy with one limit. Only the limiter's policy name and limit are used. `key` returns the subject of a request under
    /// this policy, such as the user's tenant; if it returns `None`, the caller's address is the subject.
    pub fn new(
        limiter: RateLimiter,
        key: impl Fn(&Parts) -> Option<String> + Send + Sync + 'static,
    ) -> Result<Self, ArgumentError> {
        Self::by_plan([("", limiter)], |_| None, key)
    }

    /// Creates a policy with a limit for each plan, like [`RequestLimitLayer::by_plan`](crate::RequestLimitLayer::by_plan).
    pub fn by_plan<Name: Into<String>>(
        plans: impl IntoIterator<Item = (Name, RateLimiter)>,
        plan: impl Fn(&Parts) -> Option<String> + Send + Sync + 'static,
        key: impl Fn(&Parts) -> Option<String> + Send + Sync + 'static,
    ) -> Result<Self, ArgumentError> {
        let mut plans = PolicyPlans::new(plans, plan)?;
        plans.key = alloc::sync::Arc::new(key);
        Ok(Self(plans))
    }

    /// Adds the names of plans whose requests this policy does not count.
    pub fn unlimited(mut self, plans: &[&str]) -> Result<Self, ArgumentError> {
        self.0.set_unlimited(plans)?;
        Ok(self)
    }

    /// Sets a function that returns a request's own limit.
    pub fn limit_of(mut self, limit_of: impl Fn(&Parts) -> Option<Limit> + Send + Sync + 'static) -> Self {
        self.0.limit_of = alloc::sync::Arc::new(limit_of);
        self
    }

    /// Sets the cost under this policy; the default is the cost under the layer's own policy.
    pub fn cost(mut self, cost: impl Fn(&Parts) -> u64 + Send + Sync + 'static) -> Self {
        self.0.cost = Some(alloc::sync::Arc::new(cost));
        self
    }
}

impl core::fmt::Debug for Also {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Also").field(&self.0.names()).finish()
    }
}

/// The units that a request needs under one limit, for the group or for a member of it.
pub(crate) struct AskedUnits {
    pub(crate) plan: Plan,
    cost: u64,
    within: Option<String>,
}

/// The units that a request needs under the limits that decide it jointly, and its subject under the last of them.
pub(crate) struct RequestCall {
    pub(crate) asked: Vec<AskedUnits>,
    pub(crate) group: String,
}

impl RequestCall {
    /// `None` if no limit counts the request.
    pub(crate) fn of(policies: &[&PolicyPlans], parts: &Parts, address: Option<IpAddr>) -> Option<Self> {
        let plans: Vec<_> = policies.iter().map(|policy| policy.of(parts)).collect();
        if plans.iter().all(Option::is_none) {
            return None;
        }
        let mut call = Self { asked: vec![], group: String::new() };
        let mut cost = 1;
        for (at, (policy, plan)) in policies.iter().zip(plans).enumerate() {
            let key = (policy.key)(parts).filter(|key| !key.is_empty());
            call.group = key.unwrap_or_else(|| address_subject(address));
            if let Some(own) = &policy.cost {
                cost = crate::requests::charged(own(parts));
            }
            if let Some(plan) = plan {
                let within = (at + 1 < policies.len()).then(|| call.group.clone());
                call.asked.push(AskedUnits { plan, cost, within });
            }
        }
        Some(call)
    }

    /// Returns an identifier of the charge, by which a layer that is added twice is detected.
    pub(crate) fn charged(&self) -> String {
        let AskedUnits { plan, within, .. } = &self.asked[0];
        format!("{} {} {:?} {within:?}", plan.limiter.policy(), plan.limiter.limit(), self.group)
    }

    /// Returns the decision of one policy's limiter; `None` if the call fails.
    pub(crate) async fn acquire(&self, sender: &mut impl AsyncSender) -> Option<Decision> {
        let AskedUnits { plan, cost, .. } = &self.asked[0];
        plan.limiter.acquire_n(sender, &self.group, *cost).await.ok()
    }

    /// Returns the decisions for a call that failed.
    pub(crate) fn undecided(&self) -> Vec<Decision> {
        self.asked.iter().map(|units| units.plan.undecided()).collect()
    }
}

/// Decides the calls of a layer that apply to two policies or are charged by the response.
#[derive(Clone)]
pub(crate) struct JointCalls {
    pub(crate) reservations: crate::Reservations,
    pub(crate) timeout: Duration,
    pub(crate) also: Option<PolicyPlans>,
    pub(crate) charged: Option<Statuses>,
}

impl JointCalls {
    /// Creates the calls with the choices of this limiter.
    pub(crate) fn new(limiter: &RateLimiter) -> Result<Self, ArgumentError> {
        let timeout = limiter.timeout();
        let reservations = limiter.reservations(HELD.max(timeout))?;
        Ok(Self { reservations, timeout, also: None, charged: None })
    }

    fn entry(&self, units: &AskedUnits) -> Result<EntryCost, ArgumentError> {
        let limit = EntryLimit::new(units.plan.limiter.policy(), units.plan.limiter.limit().clone())?;
        let entry = if self.charged.is_some() { limit.reserve(units.cost) } else { limit.charge(units.cost) }?;
        match &units.within {
            Some(within) => entry.within(within),
            None => Ok(entry),
        }
    }

    /// Returns an error if a limit cannot be held, or if both policies are the same.
    pub(crate) fn check(&self, own: &PolicyPlans) -> Result<(), ArgumentError> {
        let policies = self.also.iter().chain([own]);
        for plan in policies.flat_map(|policy| policy.plans.values()) {
            self.entry(&AskedUnits { plan: plan.clone(), cost: 1, within: None })?;
        }
        let name = |policy: &PolicyPlans| policy.strictest().limiter.policy().to_owned();
        if self.also.as_ref().is_some_and(|also| name(also) == name(own)) {
            return Err(ArgumentError(format!("also must be another policy: {:?}", name(own))));
        }
        Ok(())
    }

    /// Returns the decisions, and the reservation if it holds units. A call that is denied only because of held units is retried until the
    /// deadline.
    pub(crate) async fn decide(
        &self,
        call: &RequestCall,
        is_dry: bool,
        sender: &mut impl AsyncSender,
    ) -> Option<(Vec<Decision>, Option<Reservation>)> {
        let entries: Vec<_> = call.asked.iter().map(|units| self.entry(units)).collect::<Result<_, _>>().ok()?;
        let begun = Instant::now();
        loop {
            let held = self.reservations.reserve(&call.group, &entries).ok()?.query_async(sender).await.ok()?;
            let pause = held.answer().ask_again_after().unwrap_or(Duration::MAX);
            let waits = self.charged.is_some() && !is_dry && is_denied_by_held(&held, &entries);
            if !waits || begun.elapsed().saturating_add(pause) > self.timeout {
                let decisions = crate::combined::decisions(held.answer());
                let is_held = self.charged.is_some() && held.allowed() && held.answer().enforced;
                return Some((decisions, is_held.then_some(held)));
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Charges the held units of a request, or returns them.
    pub(crate) async fn settle(&self, held: &Reservation, status: u16, sender: &mut impl AsyncSender) {
        let is_charged = self.charged.as_ref().is_some_and(|statuses| statuses.contains(status));
        let settlement = if is_charged { held.close() } else { held.cancel() };
        let result = settlement.query_async(sender).await;
        if !matches!(result, Ok(SettleResult::Settled)) {
            log::warn!("the units held for a request were not settled, and are charged when they expire: {result:?}");
        }
    }
}

/// Returns whether a call would be allowed if all held units were returned.
fn is_denied_by_held(call: &Reservation, entries: &[EntryCost]) -> bool {
    let answer = call.answer();
    answer.denying.is_some_and(|at| {
        let usage = &answer.usages[at];
        usage.held > 0 && usage.remaining + usage.held >= entries[at].units()
    })
}

impl PolicyPlans {
    /// Sets the format of the fields.
    pub(crate) fn with_form(&self, form: HeaderForm) -> Result<Self, ArgumentError> {
        let mut made = self.clone();
        for plan in made.plans.values_mut() {
            *plan = Plan::new(plan.limiter.clone(), form)?;
        }
        made.own = alloc::sync::Arc::default();
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::Statuses;
    use crate::vectors::{all, vectors};

    #[test]
    fn the_responses_that_are_charged() {
        for each in vectors("requests", "charge_when", all) {
            let statuses = Statuses::new(each["text"].as_str().unwrap());
            assert_eq!(statuses.is_ok(), each["charged"].is_array(), "{each}");
            let Ok(statuses) = statuses else { continue };
            for (list, is_charged) in [("charged", true), ("free", false)] {
                for status in each[list].as_array().unwrap() {
                    assert_eq!(statuses.contains(status.as_u64().unwrap() as u16), is_charged, "{each}: {status}");
                }
            }
        }
    }
}
