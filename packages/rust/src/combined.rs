//! Decisions of several policies about one request as HTTP RateLimit fields and problem bodies.
use crate::entries::{EntryCost, EntryUsage};
use crate::http::{problem_body, quoted, retry_after, three_figures, HeaderForm, RateLimitHeaders};
use crate::protocol::{ArgumentError, Decision};
use crate::{Reservation, ReservationAnswer};
use alloc::{collections::BTreeSet, format, string::String, vec, vec::Vec};

type Fields = Vec<(&'static str, String)>;
const LISTS: [&str; 2] = ["RateLimit-Policy", "RateLimit"];

/// Formats the decisions of several policies about one request as header fields, the strictest first, and as a problem body if one of them
/// is a denial.
///
/// Denials come before all other decisions, starting with the longest wait. The other decisions follow in order of units remaining,
/// starting with the fewest; decisions that are not `enforced` come last. Ties keep their order. If two decisions have the same policy
/// name, only the stricter one is written. [`HeaderForm::Draft11`] lists all policies; the other formats have room only for the strictest.
/// `Retry-After` is the longest wait; it is omitted if waiting does not help one of the denials.
#[derive(Debug, Clone)]
pub struct CombinedHeaders {
    form: HeaderForm,
    policies: Vec<AnsweredPolicy>,
}

#[derive(Debug, Clone)]
struct AnsweredPolicy {
    decision: Decision,
    names: Vec<String>,
    fields: Fields,
}

impl AnsweredPolicy {
    fn of(headers: &RateLimitHeaders, decision: Decision) -> Result<Self, ArgumentError> {
        Ok(Self { decision, names: headers.tier_names().to_vec(), fields: headers.fields(&decision)? })
    }

    fn of_entry(entry: &EntryCost, decision: Decision, form: HeaderForm) -> Result<Self, ArgumentError> {
        let policy = entry.limit().policy();
        if let Some(rate) = entry.limit().rate() {
            return Self::of(&RateLimitHeaders::new(policy, rate.clone())?.form(form), decision);
        }
        let (name, mut fields) = (quoted("policy", policy)?, vec![]);
        if form == HeaderForm::Draft11 {
            fields.push((LISTS[0], format!("{name};q={};qu=\"concurrent-requests\"", decision.limit)));
            if decision.enforced {
                fields.push((LISTS[1], format!("{name};r={}", decision.remaining)));
            }
        } else {
            fields.extend(three_figures(form, &decision, u128::from(decision.reset_us).div_ceil(1_000_000)));
        }
        fields.extend(retry_after(&decision));
        Ok(Self { decision, names: vec![policy.into()], fields })
    }

    /// Returns the sort key by which the strictest decision comes first.
    fn order(&self) -> (bool, i64, bool, u64) {
        let Decision { wait_us, enforced, remaining, .. } = self.decision;
        let wait = match self.decision.allowed() {
            true => 0,
            false if wait_us < 0 => i64::MIN,
            false => -wait_us,
        };
        (self.decision.allowed(), wait, !enforced, remaining)
    }
}

/// Returns the decision under each limit of a call. After a denial, only the limit with the longest wait is known to deny; for an undecided
/// call, all limits deny.
pub(crate) fn decisions(answer: &ReservationAnswer) -> Vec<Decision> {
    let decision = |(at, usage): (usize, &EntryUsage)| {
        let denies = !answer.allowed && (!answer.enforced || answer.denying == Some(at));
        Decision {
            granted: u64::from(!denies),
            limit: usage.limit,
            remaining: usage.remaining,
            wait_us: if denies { answer.wait_us } else { 0 },
            reset_us: usage.reset_us,
            tier: usage.tier,
            enforced: answer.enforced,
            remembered: false,
        }
    };
    answer.usages.iter().enumerate().map(decision).collect()
}

impl CombinedHeaders {
    /// Combines the headers and decisions of one or more policies; all headers must have the same format.
    pub fn new(answers: &[(&RateLimitHeaders, Decision)]) -> Result<Self, ArgumentError> {
        let form = answers.first().map(|(headers, _)| headers.header_form());
        match form {
            Some(form) if answers.iter().all(|(headers, _)| headers.header_form() == form) => {
                let policies = answers.iter().map(|(headers, decision)| AnsweredPolicy::of(headers, *decision));
                Ok(Self::combined(form, policies.collect::<Result<_, _>>()?))
            }
            _ => Err(ArgumentError("answers must be at least one, and of one form".into())),
        }
    }

    /// Creates the headers for all limits of a call. Held units count as used. A concurrency limit has the quota unit `concurrent-requests`
    /// and no times, because a place can become free at any time.
    pub fn of(call: &Reservation, form: HeaderForm) -> Result<Self, ArgumentError> {
        let policies = call.plan.entries.iter().zip(decisions(call.answer()));
        let policies = policies.map(|(entry, decision)| AnsweredPolicy::of_entry(entry, decision, form));
        Ok(Self::combined(form, policies.collect::<Result<_, _>>()?))
    }

    fn combined(form: HeaderForm, mut policies: Vec<AnsweredPolicy>) -> Self {
        policies.sort_by_key(AnsweredPolicy::order);
        let mut taken = BTreeSet::new();
        policies.retain(|policy| {
            let stands = policy.names.iter().all(|name| !taken.contains(name));
            if stands {
                taken.extend(policy.names.iter().cloned());
            }
            stands
        });
        Self { form, policies }
    }

    /// Returns the fields in the order in which to write them.
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        let strictest = &self.policies[0].fields;
        if self.form != HeaderForm::Draft11 {
            return strictest.clone();
        }
        let mut fields = vec![];
        for list in LISTS {
            let all = self.policies.iter().flat_map(|policy| &policy.fields).filter(|(name, _)| *name == list);
            let all: Vec<_> = all.map(|(_, text)| text.as_str()).collect();
            if !all.is_empty() {
                fields.push((list, all.join(", ")));
            }
        }
        fields.extend(strictest.iter().filter(|(name, _)| !LISTS.contains(name)).cloned());
        fields
    }

    /// Returns the status of the response if a policy denies the request: 429, or 503 if the server made none of the decisions. `None` if
    /// no policy denies the request.
    pub fn status(&self) -> Option<u16> {
        let exceeded = self.denials().any(|policy| policy.decision.enforced);
        self.denials().next().map(|_| if exceeded { 429 } else { 503 })
    }

    /// Returns the body, in ASCII, of the response if a policy denies the request. It names all policies that are known to deny it, the
    /// strictest first. Its media type is [`PROBLEM_TYPE`](crate::PROBLEM_TYPE). Returns an error if no policy denies the request.
    pub fn problem(&self, detail: Option<&str>) -> Result<String, ArgumentError> {
        if self.denials().next().is_none() {
            return Err(ArgumentError(format!("a policy must deny: {:?}", self.fields())));
        }
        let exceeded = self.denials().filter(|policy| policy.decision.enforced);
        let violated: Vec<_> = exceeded.map(|policy| &policy.names[policy.decision.tier as usize - 1]).collect();
        Ok(problem_body(!violated.is_empty(), &violated, detail))
    }

    fn denials(&self) -> impl Iterator<Item = &AnsweredPolicy> {
        self.policies.iter().filter(|policy| !policy.decision.allowed())
    }
}
