//! A connection to one server that connects again.

use crate::outcome::is_read_only;
use crate::send::{pipeline, spread, within};
use crate::{AsyncSender, Failure};
use alloc::{sync::Arc, vec::Vec};
use redis::aio::{ConnectionLike, ConnectionManager, ConnectionManagerConfig};
use redis::{Client, Cmd, RedisResult, Value};
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// An asynchronous connection to one server that sends each call once, and connects again after a failure. Clones share it.
///
/// A [`ConnectionManager`] is no [`AsyncSender`] by itself: with its defaults it tries to connect for 9.45 s, also where a
/// password is refused, and says nothing until then, so that a wrong password would look like an outage. One whose password
/// was refused stays so, too. This is a manager without those attempts, and a new one a second after a refusal. The configuration's
/// time-out for an answer is kept here, as that of a manager also counts while the process stands still.
#[derive(Clone)]
pub struct ReconnectingSender(Arc<Connecting>);

struct Connecting {
    client: Client,
    config: ConnectionManagerConfig,
    /// How long an answer is waited for.
    patience: Option<Duration>,
    /// And since when there is this one.
    manager: Mutex<(ConnectionManager, Instant)>,
}

impl ReconnectingSender {
    const RENEWED: Duration = Duration::from_secs(1);

    /// A sender with a connection of its own, as the configuration says, but without a manager's attempts. It connects with
    /// the first call, and is made within a tokio runtime.
    pub fn new(client: Client, config: ConnectionManagerConfig) -> RedisResult<Self> {
        let patience = config.response_timeout();
        let config = config.set_number_of_retries(0).set_response_timeout(None);
        let manager = ConnectionManager::new_lazy_with_config(client.clone(), config.clone())?;
        Ok(Self(Arc::new(Connecting { client, config, patience, manager: Mutex::new((manager, Instant::now())) })))
    }

    /// The manager of this time, for commands of your own, which have no time-out; ask again after one was refused.
    pub fn manager(&self) -> ConnectionManager {
        self.0.manager.lock().unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    /// Connects anew, once a second at most.
    fn renew(&self) {
        let mut held = self.0.manager.lock().unwrap_or_else(PoisonError::into_inner);
        if held.1.elapsed() >= Self::RENEWED {
            if let Ok(manager) = ConnectionManager::new_lazy_with_config(self.0.client.clone(), self.0.config.clone()) {
                *held = (manager, Instant::now());
            }
        }
    }
}

impl AsyncSender for ReconnectingSender {
    fn is_one_server(&self) -> bool {
        true
    }

    async fn send(&mut self, commands: &[Cmd]) -> Vec<Result<Value, Failure>> {
        let (mut manager, pipeline) = (self.manager(), pipeline(commands));
        let asking = async {
            match manager.req_packed_commands(&pipeline, 0, commands.len()).await {
                // The manager answers with the refusal of its last attempt to connect, and begins another one.
                Err(error) if error.is_connection_refusal() => {
                    manager.req_packed_commands(&pipeline, 0, commands.len()).await
                }
                answers => answers,
            }
        };
        let until = self.0.patience.and_then(|patience| tokio::time::Instant::now().checked_add(patience));
        let answers = match until {
            Some(until) => {
                within(until, asking).await.unwrap_or_else(|| Err(io::Error::from(io::ErrorKind::TimedOut).into()))
            }
            None => asking.await,
        };
        let refused = answers.as_ref().is_err_and(|error| !error.is_io_error());
        let replies = spread(commands.len(), answers);
        // A replica's address may lead elsewhere by now.
        if refused || replies.iter().any(|reply| matches!(reply, Err(Failure::Sent(error)) if is_read_only(error))) {
            self.renew();
        }
        replies
    }

    async fn send_to_masters(&mut self, command: &Cmd) -> RedisResult<()> {
        command.exec_async(&mut self.manager()).await
    }
}
