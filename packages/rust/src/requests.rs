//! A tower layer that limits HTTP requests.

use crate::callers::{address_of, header_subject, Networks};
use crate::joint::{Also, JointCalls, RequestCall, Statuses};
use crate::plans::{add, Answers, Find, PolicyPlans};
use crate::protocol::{ArgumentError, MOST_UNITS};
use crate::{AsyncSender, Decision, HeaderForm, Limit, RateLimiter, Reservation, ReservationEvent};
use alloc::{boxed::Box, string::String, sync::Arc, vec, vec::Vec};
use core::future::Future;
use core::net::IpAddr;
use core::pin::Pin;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Poll};
use core::{fmt, mem};
use http::{request::Parts, HeaderName, HeaderValue, Request, Response};
use tower_layer::Layer;
use tower_service::Service;

type Denied = Arc<dyn Fn(&Parts, &Decision) -> Response<String> + Send + Sync>;

/// Limits the requests of a service whose response bodies can be built from a `String`, such as axum's. An allowed request proceeds, with
/// RateLimit fields in its response. A denied request gets a 429, and a request without a decision gets a 503 unless the limiter's choice
/// is to allow it; both responses have a problem body. A function that returns nothing never lets a request through, because the caller's
/// address, a cost of 1 and the strictest plan are the defaults. A function that panics ends the request like a panic of a handler; the
/// `CatchPanicLayer` of tower-http, placed outside, responds to both. With several layers, the fields report the limits of all layers, the
/// strictest first.
#[derive(Clone)]
pub struct RequestLimitLayer<Sender> {
    limits: Arc<Limits>,
    sender: Sender,
}

#[derive(Clone)]
struct Limits {
    own: PolicyPlans,
    joint: Option<JointCalls>,
    denied: Option<Denied>,
    connection: Find<Option<IpAddr>>,
    skip: Find<bool>,
    trusted: Networks,
    exempt: Networks,
    dry_run: bool,
    warned: Arc<AtomicBool>,
}

impl<Sender: AsyncSender + Clone> RequestLimitLayer<Sender> {
    /// Creates a layer with one limiter for all requests. `connection` returns the remote address of a connection; in axum it is
    /// `|parts| parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.ip())`.
    pub fn new(
        limiter: RateLimiter,
        sender: Sender,
        connection: impl Fn(&Parts) -> Option<IpAddr> + Send + Sync + 'static,
    ) -> Result<Self, ArgumentError> {
        Self::by_plan([("", limiter)], |_| None, sender, connection)
    }

    /// Creates a layer with a limiter for each plan; `plan` returns the name of a request's plan. An unknown name gets the strictest plan,
    /// which is the plan with the lowest sustained rate; ties are broken by the smallest burst, then by the first name.
    pub fn by_plan<Name: Into<String>>(
        plans: impl IntoIterator<Item = (Name, RateLimiter)>,
        plan: impl Fn(&Parts) -> Option<String> + Send + Sync + 'static,
        sender: Sender,
        connection: impl Fn(&Parts) -> Option<IpAddr> + Send + Sync + 'static,
    ) -> Result<Self, ArgumentError> {
        let limits = Limits {
            own: PolicyPlans::new(plans, plan)?,
            joint: None,
            denied: None,
            connection: Arc::new(connection),
            skip: Arc::new(|_| false),
            trusted: Networks::default(),
            exempt: Networks::default(),
            dry_run: false,
            warned: Arc::default(),
        };
        Ok(Self { limits: Arc::new(limits), sender })
    }

    /// Adds the names of plans whose requests are always allowed and never counted.
    pub fn unlimited(self, plans: &[&str]) -> Result<Self, ArgumentError> {
        self.try_with(|limits| limits.own.set_unlimited(plans))
    }

    /// Adds a second policy for the same requests. A request is charged under both policies or under neither.
    pub fn also(self, also: Also) -> Result<Self, ArgumentError> {
        self.jointly(|joint| joint.also = Some(also.0))
    }

    /// Selects the responses that are charged, such as `status 401, 403` or `status 4xx`. The cost is held before the request and settled
    /// after it. A request that is denied only because of held units is retried every 50 to 250 ms until the limiter's timeout. If there is
    /// no response, the cost is charged after a minute.
    pub fn charge_when(self, responses: &str) -> Result<Self, ArgumentError> {
        let statuses = Statuses::new(responses)?;
        self.jointly(|joint| joint.charged = Some(statuses))
    }

    /// Sets the listener for calls with [`also`](Self::also) or [`charge_when`](Self::charge_when), one of which must be set before. These
    /// calls are reservations, so the limiter's `on_outcome` does not receive them.
    pub fn on_event(self, tell: impl Fn(&ReservationEvent<'_>) + Send + Sync + 'static) -> Result<Self, ArgumentError> {
        if self.limits.joint.is_none() {
            return Err(ArgumentError("on_event must come after also or charge_when".into()));
        }
        self.jointly(|joint| joint.reservations = joint.reservations.clone().on_event(tell))
    }

    /// Sets a function that returns a request's own limit, which replaces the request's usual limit under the same policy. If it returns
    /// `None` or a leaky bucket, the usual limit applies.
    pub fn limit_of(self, limit_of: impl Fn(&Parts) -> Option<Limit> + Send + Sync + 'static) -> Self {
        self.with(|limits| limits.own.limit_of = Arc::new(limit_of))
    }

    /// Sets a function that responds to a request that the server denied, in place of status 429 and the problem body. The header fields
    /// are added. The function is not called for an undecided request, which gets a 503.
    pub fn on_denied(self, answer: impl Fn(&Parts, &Decision) -> Response<String> + Send + Sync + 'static) -> Self {
        self.with(|limits| limits.denied = Some(Arc::new(answer)))
    }

    /// Sets the subject of a request, such as [`by_header`] or a user. If `key` returns `None`, the caller's address is the subject.
    pub fn key(self, key: impl Fn(&Parts) -> Option<String> + Send + Sync + 'static) -> Self {
        self.with(|limits| limits.own.key = Arc::new(key))
    }

    /// Sets the cost of a request; 0 counts as 1, and the maximum is 10^12.
    pub fn cost(self, cost: impl Fn(&Parts) -> u64 + Send + Sync + 'static) -> Self {
        self.with(|limits| limits.own.cost = Some(Arc::new(cost)))
    }

    /// Sets a function that returns whether a request is exempt from the limit.
    pub fn skip(self, skip: impl Fn(&Parts) -> bool + Send + Sync + 'static) -> Self {
        self.with(|limits| limits.skip = Arc::new(skip))
    }

    /// Adds the addresses and networks, such as `10.0.0.0/8`, of callers that are not limited.
    pub fn exempt(self, networks: &[&str]) -> Result<Self, ArgumentError> {
        let exempt = Networks::new("exempt", networks)?;
        Ok(self.with(|limits| limits.exempt = exempt))
    }

    /// Adds the addresses and networks whose `X-Forwarded-For` header is trusted, which is read from the right; `unix` means a connection
    /// without an address.
    pub fn trusted_proxies(self, networks: &[&str]) -> Result<Self, ArgumentError> {
        let trusted = Networks::new("trusted_proxies", networks)?;
        Ok(self.with(|limits| limits.trusted = trusted))
    }

    /// Enables the dry run, which charges and serves every request but writes no header fields. The limiter's `on_outcome` receives the
    /// decisions.
    pub fn dry_run(self) -> Self {
        self.with(|limits| limits.dry_run = true)
    }

    /// Sets the format of the header fields.
    pub fn form(self, form: HeaderForm) -> Result<Self, ArgumentError> {
        self.try_with(|limits| {
            limits.own = limits.own.with_form(form)?;
            if let Some(joint) = &mut limits.joint {
                joint.also = joint.also.as_ref().map(|also| also.with_form(form)).transpose()?;
            }
            Ok(())
        })
    }

    fn jointly(self, change: impl FnOnce(&mut JointCalls)) -> Result<Self, ArgumentError> {
        self.try_with(|limits| {
            let made = limits.joint.take().map_or_else(|| JointCalls::new(&limits.own.strictest().limiter), Ok);
            let joint = limits.joint.insert(made?);
            change(joint);
            joint.check(&limits.own)
        })
    }

    fn try_with(
        mut self,
        change: impl FnOnce(&mut Limits) -> Result<(), ArgumentError>,
    ) -> Result<Self, ArgumentError> {
        change(Arc::make_mut(&mut self.limits))?;
        Ok(self)
    }

    fn with(mut self, change: impl FnOnce(&mut Limits)) -> Self {
        change(Arc::make_mut(&mut self.limits));
        self
    }
}

/// Returns a key function whose subject is the hash of a header's value, such as an API key. The subject is `header:` followed by the
/// SHA-256 of the value in hexadecimal. A header that occurs twice, or is empty, counts as missing.
pub fn by_header(name: HeaderName) -> impl Fn(&Parts) -> Option<String> + Send + Sync + 'static {
    move |parts| {
        let mut values = parts.headers.get_all(&name).iter();
        match (values.next(), values.next()) {
            (Some(only), None) => header_subject(only.as_bytes()),
            _ => None,
        }
    }
}

pub(crate) fn charged(cost: u64) -> u64 {
    cost.clamp(1, MOST_UNITS)
}

impl Limits {
    /// Returns the units that a request needs; `None` if it is not limited.
    fn of(&self, parts: &Parts) -> Option<RequestCall> {
        let forwarded: Vec<_> = parts.headers.get_all("x-forwarded-for").iter().map(HeaderValue::as_bytes).collect();
        let address = address_of((self.connection)(parts), forwarded.into_iter(), &self.trusted);
        if self.exempt.contains(address) || (self.skip)(parts) {
            return None;
        }
        let also = self.joint.as_ref().and_then(|joint| joint.also.as_ref());
        let policies: Vec<_> = [&self.own].into_iter().chain(also).collect();
        RequestCall::of(&policies, parts, address)
    }

    /// Returns the joint decision of the limits, and the units held.
    async fn decide(&self, call: &RequestCall, sender: &mut impl AsyncSender) -> (Vec<Decision>, Option<Reservation>) {
        let decided = match &self.joint {
            Some(joint) => joint.decide(call, self.dry_run, sender).await,
            None => call.acquire(sender).await.map(|decision| (vec![decision], None)),
        };
        decided.unwrap_or_else(|| (call.undecided(), None))
    }

    fn warn_of(&self, call: &RequestCall) {
        if !self.warned.swap(true, Ordering::Relaxed) {
            let policy = call.asked[0].plan.limiter.policy();
            log::warn!("policy {policy}: one request is counted twice: is the layer added twice on its route?");
        }
    }
}

impl<Inner, Sender: Clone> Layer<Inner> for RequestLimitLayer<Sender> {
    type Service = RequestLimitService<Inner, Sender>;

    fn layer(&self, inner: Inner) -> Self::Service {
        RequestLimitService { inner, layer: self.clone() }
    }
}

/// A service whose requests are limited, created by a [`RequestLimitLayer`].
#[derive(Debug, Clone)]
pub struct RequestLimitService<Inner, Sender> {
    inner: Inner,
    layer: RequestLimitLayer<Sender>,
}

impl<Inner, Sender, Content, Body> Service<Request<Content>> for RequestLimitService<Inner, Sender>
where
    Inner: Service<Request<Content>, Response = Response<Body>> + Clone + Send + 'static,
    Inner::Future: Send,
    Inner::Error: Send,
    Sender: AsyncSender + Clone + 'static,
    Content: Send + 'static,
    Body: From<String> + Send,
{
    type Response = Response<Body>;
    type Error = Inner::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Content>) -> Self::Future {
        let clone = self.inner.clone();
        // The service that is ready.
        let mut inner = mem::replace(&mut self.inner, clone);
        let RequestLimitLayer { limits, mut sender } = self.layer.clone();
        Box::pin(async move {
            let (mut parts, content) = request.into_parts();
            let Some(call) = limits.of(&parts) else {
                return inner.call(Request::from_parts(parts, content)).await;
            };
            if parts.extensions.get_or_insert_default::<Answers>().charges_again(call.charged()) {
                limits.warn_of(&call);
            }
            let (decisions, held) = limits.decide(&call, &mut sender).await;
            let at = decisions.iter().position(|decision| !decision.allowed()).unwrap_or(0);
            let (plan, decision) = (&call.asked[at].plan, decisions[at]);
            let mut fields = Vec::new();
            if !limits.dry_run {
                let answers = parts.extensions.get_or_insert_default::<Answers>();
                call.asked.iter().zip(&decisions).for_each(|(units, decision)| answers.add(&units.plan, *decision));
                fields = plan.fields(answers);
            }
            let mut answer = match &limits.denied {
                _ if decision.allowed() || limits.dry_run => {
                    let answer = inner.call(Request::from_parts(parts, content)).await;
                    if let (Some(joint), Some(held)) = (&limits.joint, held) {
                        // The outer layers respond to an error with a 500.
                        let status = answer.as_ref().map_or(500, |answer| answer.status().as_u16());
                        joint.settle(&held, status, &mut sender).await;
                    }
                    answer?
                }
                Some(answer) if decision.enforced => answer(&parts, &decision).map(Body::from),
                _ => plan.denial(&decision),
            };
            add(fields, answer.headers_mut());
            Ok(answer)
        })
    }
}

impl<Sender> fmt::Debug for RequestLimitLayer<Sender> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestLimitLayer").field("plans", &self.limits.own.names()).finish_non_exhaustive()
    }
}
