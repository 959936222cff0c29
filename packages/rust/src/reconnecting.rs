//! A connection to one server that reconnects.

use crate::asking::aio::WitnessedAnswer;
use crate::outcome::is_read_only;
use crate::send::{ask_by, pipeline, spread};
use crate::{AsyncSender, Failure, Questioner, ServerVerdict, Verdict, VerdictChange};
use alloc::{sync::Arc, vec::Vec};
use redis::aio::{ConnectionLike, ConnectionManager, ConnectionManagerConfig};
use redis::{Client, Cmd, RedisResult, Value};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// An asynchronous connection to one server that sends each call once, and reconnects after a failure. Clones share it.
///
/// A [`ConnectionManager`] is not an [`AsyncSender`]: by default it tries to connect for 9.45 s, even if a password is refused, and
/// reports nothing until then, so that a wrong password would look like an outage. Once its password was refused, it never
/// recovers. This is a manager without those attempts, and a new one a second after a refusal. The configuration's time-out for an
/// answer is applied here, because a manager's also counts while the process is paused.
#[derive(Clone)]
pub struct ReconnectingSender(Arc<Connecting>);

struct Connecting {
    client: Client,
    config: ConnectionManagerConfig,
    /// The longest wait for an answer.
    patience: Option<Duration>,
    /// And since when there is this one.
    manager: Mutex<(ConnectionManager, Instant)>,
    verdict: Arc<ServerVerdict>,
}

impl ReconnectingSender {
    const RENEWED: Duration = Duration::from_secs(1);

    /// A sender whose connection follows the configuration, except for a manager's attempts. It connects with the first call, and
    /// is made within a tokio runtime. The check whether the server answers uses one more connection.
    pub fn new(client: Client, config: ConnectionManagerConfig) -> RedisResult<Self> {
        Self::asking(client, config, ServerVerdict::by_connection)
    }

    /// A sender with one connection: the check waits behind the calls, so that a flood without an answer for 250 ms is an outage,
    /// and a connection that stays silent is replaced only when TCP gives it up.
    pub fn without_verdict_connection(client: Client, config: ConnectionManagerConfig) -> RedisResult<Self> {
        Self::asking(client, config, |_, _| Arc::new(ServerVerdict::by_client()))
    }

    fn asking(
        client: Client,
        config: ConnectionManagerConfig,
        verdict: impl FnOnce(Client, ConnectionManagerConfig) -> Arc<ServerVerdict>,
    ) -> RedisResult<Self> {
        let patience = config.response_timeout();
        let config = config.set_number_of_retries(0).set_response_timeout(None);
        let manager = ConnectionManager::new_lazy_with_config(client.clone(), config.clone())?;
        let verdict = verdict(client.clone(), config.clone());
        let manager = Mutex::new((manager, Instant::now()));
        Ok(Self(Arc::new(Connecting { client, config, patience, manager, verdict })))
    }

    /// Reports every change of the verdict on the server to `tell`, for metrics and logs. It must return soon. Only the first
    /// listener is set.
    pub fn on_verdict(self, tell: impl Fn(&VerdictChange<'_>) + Send + Sync + 'static) -> Self {
        self.0.verdict.tell_changes(tell);
        self
    }

    /// The current verdict on the server.
    pub fn verdict(&self) -> Verdict {
        self.0.verdict.verdict()
    }

    /// The current manager, for your own commands, which have no time-out; request it again after one was refused.
    pub fn manager(&self) -> ConnectionManager {
        self.0.manager.lock().unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    /// Reconnects, once a second at most.
    fn renew(&self) {
        let mut held = self.0.manager.lock().unwrap_or_else(PoisonError::into_inner);
        if held.1.elapsed() >= Self::RENEWED {
            self.replace(&mut held);
        }
    }

    fn replace(&self, held: &mut (ConnectionManager, Instant)) {
        if let Ok(manager) = ConnectionManager::new_lazy_with_config(self.0.client.clone(), self.0.config.clone()) {
            *held = (manager, Instant::now());
            self.0.verdict.renew_pipe();
        }
    }

    /// The connection of calls; another one after it was silent while the server answers.
    fn open(&self) -> ConnectionManager {
        let mut held = self.0.manager.lock().unwrap_or_else(PoisonError::into_inner);
        if self.0.verdict.is_pipe_closed() {
            self.replace(&mut held);
        }
        held.0.clone()
    }
}

impl AsyncSender for ReconnectingSender {
    fn is_one_server(&self) -> bool {
        true
    }

    async fn send(&mut self, commands: &[Cmd]) -> Vec<Result<Value, Failure>> {
        let (mut manager, pipeline, count) = (self.open(), pipeline(commands), commands.len());
        let answering = async move {
            match manager.req_packed_commands(&pipeline, 0, count).await {
                // The manager answers with the refusal of its last attempt to connect, and begins another one.
                Err(error) if error.is_connection_refusal() => manager.req_packed_commands(&pipeline, 0, count).await,
                answers => answers,
            }
        };
        let answers = WitnessedAnswer::new(&self.0.verdict, answering).await;
        let refused = answers.as_ref().is_err_and(|error| !error.is_io_error());
        let replies = spread(commands.len(), answers);
        // A replica's address may lead elsewhere by now.
        if refused || replies.iter().any(|reply| matches!(reply, Err(Failure::Sent(error)) if is_read_only(error))) {
            self.renew();
        }
        replies
    }

    fn patience(&self) -> Option<Duration> {
        self.0.patience
    }

    fn questioner(&self) -> Option<Questioner> {
        (!self.0.verdict.has_connection()).then(|| ask_by(self.manager()))
    }

    fn verdict_on(&self, _key: &[u8]) -> Option<Arc<ServerVerdict>> {
        if self.0.verdict.is_pipe_closed() {
            // So that the call begins on the connection that it is sent on.
            self.open();
        }
        Some(self.0.verdict.clone())
    }

    async fn send_to_masters(&mut self, command: &Cmd) -> RedisResult<()> {
        command.exec_async(&mut self.manager()).await
    }
}
