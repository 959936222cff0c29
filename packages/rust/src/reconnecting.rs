//! A reconnecting connection to one server.

use crate::asking::aio::WitnessedAnswer;
use crate::outcome::is_read_only;
use crate::send::{ask_by, pipeline, spread};
use crate::sharing::SharedTrips;
use crate::{AsyncSender, Failure, Questioner, ServerVerdict, Verdict, VerdictChange};
use alloc::{boxed::Box, sync::Arc, vec::Vec};
use redis::aio::{ConnectionLike, ConnectionManager, ConnectionManagerConfig};
use redis::{Client, Cmd, RedisResult, Value};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// An asynchronous connection to one server, which sends each call once and reconnects after a failure. Clones share the connection.
///
/// A [`ConnectionManager`] is not an [`AsyncSender`]. By default, it tries to connect for 9.45 s, even if the password is rejected, and
/// reports nothing until then, so a wrong password would look like an outage. Once its password has been rejected, it never recovers. This
/// sender uses a manager without such retries, and replaces it a second after a rejection. The sender itself applies the configured
/// response timeout, because a manager's timeout also counts the time during which the process is suspended.
#[derive(Clone)]
pub struct ReconnectingSender(Arc<Connecting>);

struct Connecting {
    client: Client,
    config: ConnectionManagerConfig,
    /// The timeout for an answer.
    patience: Option<Duration>,
    /// The manager, and the time since which it has been in use.
    manager: Mutex<(ConnectionManager, Instant)>,
    verdict: Arc<ServerVerdict>,
    trips: SharedTrips,
}

impl ReconnectingSender {
    const RENEWED: Duration = Duration::from_secs(1);

    /// Creates a sender with this configuration, except for the manager's retries. It must be created within a tokio runtime, and connects
    /// at the first call. The check whether the server answers uses a second connection.
    pub fn new(client: Client, config: ConnectionManagerConfig) -> RedisResult<Self> {
        Self::asking(client, config, |client, config| {
            let config = config.set_number_of_retries(0).set_response_timeout(None).set_connection_timeout(None);
            ServerVerdict::by_connection(Box::new(move || {
                let made = ConnectionManager::new_with_config(client.clone(), config.clone());
                Box::pin(async move { made.await.map(ask_by) })
            }))
        })
    }

    /// Creates a sender with only one connection. The check waits behind the calls, so a flood of calls that are not answered for 250 ms
    /// counts as an outage, and a silent connection is replaced only when TCP gives up.
    pub fn without_verdict_connection(client: Client, config: ConnectionManagerConfig) -> RedisResult<Self> {
        Self::asking(client, config, |_, _| Arc::new(ServerVerdict::by_client()))
    }

    fn asking(
        client: Client,
        config: ConnectionManagerConfig,
        verdict: impl FnOnce(Client, ConnectionManagerConfig) -> Arc<ServerVerdict>,
    ) -> RedisResult<Self> {
        // redis-rs leaves Nagle's algorithm on: a command would wait until the one before it is acknowledged, which its answer does.
        let info = client.get_connection_info().clone();
        let tcp = info.tcp_settings().clone().set_nodelay(true);
        let client = Client::open(info.set_tcp_settings(tcp))?;
        let patience = config.response_timeout();
        let config = config.set_number_of_retries(0).set_response_timeout(None);
        let manager = ConnectionManager::new_lazy_with_config(client.clone(), config.clone())?;
        let verdict = verdict(client.clone(), config.clone());
        let manager = Mutex::new((manager, Instant::now()));
        let trips = SharedTrips::default();
        Ok(Self(Arc::new(Connecting { client, config, patience, manager, verdict, trips })))
    }

    /// Calls `tell` for every change of the verdict on the server, for metrics and logs. It must return quickly. Only the first listener is
    /// set.
    pub fn on_verdict(self, tell: impl Fn(&VerdictChange<'_>) + Send + Sync + 'static) -> Self {
        self.0.verdict.tell_changes(tell);
        self
    }

    /// Returns the current verdict on the server.
    pub fn verdict(&self) -> Verdict {
        self.0.verdict.verdict()
    }

    /// Returns the current manager for your own commands, which have no timeout. Get it again after a connection was rejected.
    pub fn manager(&self) -> ConnectionManager {
        self.0.manager.lock().unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    pub(crate) fn server_verdict(&self) -> &Arc<ServerVerdict> {
        &self.0.verdict
    }

    pub(crate) fn shared_trips(&self) -> &SharedTrips {
        &self.0.trips
    }

    /// Reconnects, at most once a second.
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

    /// Returns the connection for calls; a new one if it was silent although the server answers.
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
                // The manager returns the rejection of its last attempt to connect, and starts another attempt.
                Err(error) if error.is_connection_refusal() => manager.req_packed_commands(&pipeline, 0, count).await,
                answers => answers,
            }
        };
        let witnessed = |answers: RedisResult<Vec<Value>>| answers.map(Value::Array).map_err(Failure::Sent);
        let answers = WitnessedAnswer::new(&self.0.verdict, answering, witnessed).await;
        let refused = answers.as_ref().is_err_and(|error| !error.is_io_error());
        let replies = spread(commands.len(), answers);
        // The address of a replica may point to another server by now.
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
            // Ensures that the call starts on the connection over which it is sent.
            self.open();
        }
        Some(self.0.verdict.clone())
    }

    fn shares_trips_over(&self) -> Option<&ReconnectingSender> {
        Some(self)
    }

    async fn send_to_masters(&mut self, command: &Cmd) -> RedisResult<()> {
        command.exec_async(&mut self.manager()).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn commands_do_not_wait_for_the_acknowledgement_of_others() {
        let client = Client::open("redis://127.0.0.1:1/3").unwrap();
        assert!(!client.get_connection_info().tcp_settings().nodelay());
        let made = ReconnectingSender::new(client, ConnectionManagerConfig::new()).unwrap();
        let info = made.0.client.get_connection_info();
        assert!(info.tcp_settings().nodelay() && info.redis_settings().db() == 3);
    }
}
