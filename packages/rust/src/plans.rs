//! What a plan of an HTTP layer says of its decisions.

use crate::protocol::{ArgumentError, Decision};
use crate::{HeaderForm, RateLimitHeaders, RateLimiter, PROBLEM_TYPE};
use alloc::{format, string::String};
use http::{header, HeaderMap, HeaderName, HeaderValue, Response, StatusCode};

/// A limiter with its fields.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) limiter: RateLimiter,
    headers: RateLimitHeaders,
    form: HeaderForm,
}

impl Plan {
    pub(crate) fn new(limiter: RateLimiter, form: HeaderForm) -> Result<Self, ArgumentError> {
        let limit = limiter.limit();
        if limit.script().name == "leaky-bucket" {
            let rule = "limits must be none whose callers wait, since a request is answered at once";
            return Err(ArgumentError(format!("{rule}: {limit}")));
        }
        let headers = RateLimitHeaders::new(limiter.policy(), limit.clone())?.form(form);
        Ok(Self { limiter, headers, form })
    }

    pub(crate) fn write(&self, headers: &mut HeaderMap, decision: &Decision) {
        for (name, value) in self.headers.fields(decision).unwrap_or_default() {
            let Ok(value) = HeaderValue::try_from(value) else { continue };
            let name = HeaderName::try_from(name).expect("a field's name");
            if self.form == HeaderForm::Draft11 && name != header::RETRY_AFTER {
                // A list, to which each layer adds.
                headers.append(name, value);
            } else {
                headers.insert(name, value);
            }
        }
    }

    /// The answer to a denied request; without a decision if there is none.
    pub(crate) fn denial<Body: From<String>>(&self, denied: Option<&Decision>) -> Response<Body> {
        let limit = self.limiter.limit().tiers()[0][0];
        let undecided = Decision {
            granted: 0,
            limit,
            remaining: 0,
            wait_us: 0,
            reset_us: 0,
            tier: 1,
            enforced: false,
            remembered: false,
        };
        let decision = denied.unwrap_or(&undecided);
        let mut answer = Response::new(Body::from(self.headers.problem(decision, None).unwrap_or_default()));
        *answer.status_mut() = StatusCode::from_u16(RateLimitHeaders::status(decision)).expect("a status");
        answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_TYPE));
        if let Some(denied) = denied {
            self.write(answer.headers_mut(), denied);
        }
        answer
    }
}
