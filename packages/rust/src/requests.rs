//! A tower layer that limits HTTP requests.

use crate::callers::{address_of, address_subject, header_subject, strictest, Networks};
use crate::plans::{add, Plan};
use crate::protocol::{ArgumentError, MOST_UNITS};
use crate::{AsyncSender, Decision, HeaderForm, Limit, RateLimiter};
use alloc::{boxed::Box, collections::BTreeMap, format, string::String, sync::Arc, vec::Vec};
use core::future::Future;
use core::net::IpAddr;
use core::pin::Pin;
use core::task::{Context, Poll};
use core::{fmt, mem};
use http::{request::Parts, HeaderName, HeaderValue, Request, Response};
use std::sync::{Mutex, PoisonError};
use tower_layer::Layer;
use tower_service::Service;

type Find<T> = Arc<dyn Fn(&Parts) -> T + Send + Sync>;
type Denied = Arc<dyn Fn(&Parts, &Decision) -> Response<String> + Send + Sync>;

/// Limits that functions find, of which each has a limiter.
const MOST_OWN: usize = 1_000;

/// Limits the requests of a service whose response bodies can be built from a `String`, such as axum's. An allowed request proceeds,
/// with RateLimit fields in its response; a denied one gets a 429, and one without a decision a 503, both with a problem body, unless
/// the limiter's choice is to allow. A function that finds nothing never lets a request through: the caller's address, 1 and the
/// strictest plan are used. One that panics ends the request like a panic of a handler: `CatchPanicLayer` of tower-http, outside,
/// answers both. With several layers the fields are those of all, the strictest first.
#[derive(Clone)]
pub struct RequestLimitLayer<Sender> {
    limits: Arc<Limits>,
    sender: Sender,
}

#[derive(Clone)]
struct Limits {
    plans: BTreeMap<String, Plan>,
    strictest: String,
    unlimited: Vec<String>,
    plan: Find<Option<String>>,
    limit_of: Find<Option<Limit>>,
    own: Arc<Mutex<BTreeMap<String, Plan>>>,
    denied: Option<Denied>,
    connection: Find<Option<IpAddr>>,
    key: Find<Option<String>>,
    cost: Find<u64>,
    skip: Find<bool>,
    trusted: Networks,
    exempt: Networks,
    dry_run: bool,
}

impl<Sender: AsyncSender + Clone> RequestLimitLayer<Sender> {
    /// One limiter for all. `connection` returns the address of a connection; in axum it is `|parts|
    /// parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.ip())`.
    pub fn new(
        limiter: RateLimiter,
        sender: Sender,
        connection: impl Fn(&Parts) -> Option<IpAddr> + Send + Sync + 'static,
    ) -> Result<Self, ArgumentError> {
        Self::by_plan([("", limiter)], |_| None, sender, connection)
    }

    /// A limiter for each plan, and `plan` returns the name of a request's plan. An unknown one gets the strictest plan: the one with
    /// the lowest rate in the long run; of equals, the one with the smallest burst, and then the first by name.
    pub fn by_plan<Name: Into<String>>(
        plans: impl IntoIterator<Item = (Name, RateLimiter)>,
        plan: impl Fn(&Parts) -> Option<String> + Send + Sync + 'static,
        sender: Sender,
        connection: impl Fn(&Parts) -> Option<IpAddr> + Send + Sync + 'static,
    ) -> Result<Self, ArgumentError> {
        let mut named = BTreeMap::new();
        for (name, limiter) in plans {
            named.insert(name.into(), Plan::new(limiter, HeaderForm::default())?);
        }
        let strictest = strictest(named.iter().map(|(name, plan)| (name, plan.limiter.limit()))).cloned();
        let limits = Limits {
            strictest: strictest.ok_or_else(|| ArgumentError("plans must be at least one".into()))?,
            plans: named,
            unlimited: Vec::new(),
            plan: Arc::new(plan),
            limit_of: Arc::new(|_| None),
            own: Arc::default(),
            denied: None,
            connection: Arc::new(connection),
            key: Arc::new(|_| None),
            cost: Arc::new(|_| 1),
            skip: Arc::new(|_| false),
            trusted: Networks::default(),
            exempt: Networks::default(),
            dry_run: false,
        };
        Ok(Self { limits: Arc::new(limits), sender })
    }

    /// Returns the layer with names of plans whose requests all pass, and are not counted.
    pub fn unlimited(self, plans: &[&str]) -> Result<Self, ArgumentError> {
        if let Some(name) = plans.iter().find(|name| self.limits.plans.contains_key(**name)) {
            return Err(ArgumentError(format!("unlimited must be names of plans without a limiter: {name:?}")));
        }
        Ok(self.with(|limits| limits.unlimited = plans.iter().map(|name| String::from(*name)).collect()))
    }

    /// Returns the layer with a limit of the request, under the policy of its usual limit. If `limit_of` returns none, or a leaky
    /// bucket, the usual limit applies.
    pub fn limit_of(self, limit_of: impl Fn(&Parts) -> Option<Limit> + Send + Sync + 'static) -> Self {
        self.with(|limits| limits.limit_of = Arc::new(limit_of))
    }

    /// Returns the layer with a custom response to a request that the server denied, instead of status 429 and the problem body; the
    /// fields are added. An undecided request gets a 503.
    pub fn on_denied(self, answer: impl Fn(&Parts, &Decision) -> Response<String> + Send + Sync + 'static) -> Self {
        self.with(|limits| limits.denied = Some(Arc::new(answer)))
    }

    /// Returns the layer with a subject, such as [`by_header`] or a user. If `key` returns none, it is the caller's address.
    pub fn key(self, key: impl Fn(&Parts) -> Option<String> + Send + Sync + 'static) -> Self {
        self.with(|limits| limits.key = Arc::new(key))
    }

    /// Returns the layer with a cost, of which 0 counts as 1, and which is at most 10^12.
    pub fn cost(self, cost: impl Fn(&Parts) -> u64 + Send + Sync + 'static) -> Self {
        self.with(|limits| limits.cost = Arc::new(cost))
    }

    /// Returns the layer with a `skip` function, whose requests are not limited.
    pub fn skip(self, skip: impl Fn(&Parts) -> bool + Send + Sync + 'static) -> Self {
        self.with(|limits| limits.skip = Arc::new(skip))
    }

    /// Returns the layer with addresses and networks of callers that are not limited, such as `10.0.0.0/8`.
    pub fn exempt(self, networks: &[&str]) -> Result<Self, ArgumentError> {
        let exempt = Networks::new("exempt", networks)?;
        Ok(self.with(|limits| limits.exempt = exempt))
    }

    /// Returns the layer with addresses and networks whose `X-Forwarded-For` is trusted, read from the right; `unix` is a connection
    /// without an address.
    pub fn trusted_proxies(self, networks: &[&str]) -> Result<Self, ArgumentError> {
        let trusted = Networks::new("trusted_proxies", networks)?;
        Ok(self.with(|limits| limits.trusted = trusted))
    }

    /// Returns the layer in dry run: it charges and serves, and writes no fields; the limiter's `on_outcome` receives its decisions.
    pub fn dry_run(self) -> Self {
        self.with(|limits| limits.dry_run = true)
    }

    /// Returns the layer with another form of the fields.
    pub fn form(self, form: HeaderForm) -> Result<Self, ArgumentError> {
        let mut plans = BTreeMap::new();
        for (name, plan) in &self.limits.plans {
            plans.insert(name.clone(), Plan::new(plan.limiter.clone(), form)?);
        }
        Ok(self.with(|limits| (limits.plans, limits.own) = (plans, Arc::default())))
    }

    fn with(mut self, change: impl FnOnce(&mut Limits)) -> Self {
        change(Arc::make_mut(&mut self.limits));
        self
    }
}

/// A key that returns the subject of a header's value, such as that of an API key: `header:` and its SHA-256 in hexadecimal digits. A
/// header that occurs twice, or is empty, counts as missing.
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
    /// The plan, the subject and the cost of a request; `None` if it is not limited.
    fn of(&self, parts: &Parts) -> Option<(Plan, String, u64)> {
        let forwarded: Vec<_> = parts.headers.get_all("x-forwarded-for").iter().map(HeaderValue::as_bytes).collect();
        let address = address_of((self.connection)(parts), forwarded.into_iter(), &self.trusted);
        if self.exempt.contains(address) || (self.skip)(parts) {
            return None;
        }
        let name = (self.plan)(parts);
        if name.as_ref().is_some_and(|name| self.unlimited.contains(name)) {
            return None;
        }
        let plan = name.and_then(|name| self.plans.get(&name));
        let plan = plan.unwrap_or_else(|| &self.plans[&self.strictest]);
        let plan = (self.limit_of)(parts).and_then(|limit| self.own_plan(plan, limit)).unwrap_or_else(|| plan.clone());
        let key = (self.key)(parts).filter(|key| !key.is_empty());
        Some((plan, key.unwrap_or_else(|| address_subject(address)), charged((self.cost)(parts))))
    }

    /// The plan of a limit that a function returned, with the limiter of the request's usual plan.
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

impl<Inner, Sender: Clone> Layer<Inner> for RequestLimitLayer<Sender> {
    type Service = RequestLimitService<Inner, Sender>;

    fn layer(&self, inner: Inner) -> Self::Service {
        RequestLimitService { inner, layer: self.clone() }
    }
}

/// A service whose requests are limited, as a [`RequestLimitLayer`] makes it.
#[derive(Debug, Clone)]
pub struct RequestLimitService<Inner, Sender> {
    inner: Inner,
    layer: RequestLimitLayer<Sender>,
}

impl<Inner, Sender, Content, Body> Service<Request<Content>> for RequestLimitService<Inner, Sender>
where
    Inner: Service<Request<Content>, Response = Response<Body>> + Clone + Send + 'static,
    Inner::Future: Send,
    Sender: AsyncSender + Clone + 'static,
    Content: Send + 'static,
    Body: From<String>,
{
    type Response = Response<Body>;
    type Error = Inner::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Content>) -> Self::Future {
        let clone = self.inner.clone();
        // The one that is ready.
        let mut inner = mem::replace(&mut self.inner, clone);
        let RequestLimitLayer { limits, mut sender } = self.layer.clone();
        Box::pin(async move {
            let (mut parts, content) = request.into_parts();
            let Some((plan, subject, cost)) = limits.of(&parts) else {
                return inner.call(Request::from_parts(parts, content)).await;
            };
            let decision = plan.limiter.acquire_n(&mut sender, subject, cost).await.ok();
            if limits.dry_run {
                return inner.call(Request::from_parts(parts, content)).await;
            }
            let decision = decision.unwrap_or_else(|| plan.undecided());
            let fields = plan.fields(parts.extensions.get_or_insert_default(), decision);
            let mut answer = match &limits.denied {
                _ if decision.allowed() => inner.call(Request::from_parts(parts, content)).await?,
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
        f.debug_struct("RequestLimitLayer").field("plans", &self.limits.plans.keys()).finish_non_exhaustive()
    }
}
