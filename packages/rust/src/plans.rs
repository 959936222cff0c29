//! The headers of a plan of an HTTP layer for its decisions.

use crate::protocol::{ArgumentError, Decision};
use crate::{CombinedHeaders, HeaderForm, RateLimitHeaders, RateLimiter, PROBLEM_TYPE};
use alloc::{format, string::String, sync::Arc, vec::Vec};
use http::{header, HeaderMap, HeaderValue, Response, StatusCode};

/// A limiter with its fields.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) limiter: RateLimiter,
    headers: Arc<RateLimitHeaders>,
}

/// The decisions about a request so far, in its extensions.
#[derive(Clone, Default)]
pub(crate) struct Answers(Vec<(Arc<RateLimitHeaders>, Decision)>);

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

    /// The fields of all limits of a request that have decided, with this decision.
    pub(crate) fn fields(&self, Answers(answers): &mut Answers, decision: Decision) -> Vec<(&'static str, String)> {
        answers.push((self.headers.clone(), decision));
        let form = self.headers.header_form();
        let alike = answers.iter().filter(|(headers, _)| headers.header_form() == form);
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
