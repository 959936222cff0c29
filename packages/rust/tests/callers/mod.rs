//! Clients of the server, the cluster and the proxies.

use crate::servers::{setting, PATIENCE};
use penstock_redis::{load_functions, load_functions_async, AsyncClusterSender, ClusterSender, ReconnectingSender};
use redis::aio::{ConnectionManagerConfig, MultiplexedConnection};
use redis::cluster::{ClusterClient, ClusterClientBuilder};
use redis::{AsyncConnectionConfig, Client, Connection};
use std::time::Duration;

pub fn url(port: &str) -> String {
    format!("redis://127.0.0.1:{}/?protocol=resp3", setting(port))
}

/// Only what a proxy is to lose is given up soon: else a machine that stalls would end a call.
pub fn timeout(port: &str) -> Duration {
    if port == "PROXY" {
        Duration::from_secs(1)
    } else {
        PATIENCE
    }
}

pub fn blocking(port: &str) -> Connection {
    let connection = Client::open(url(port)).unwrap().get_connection().unwrap();
    connection.set_read_timeout(Some(timeout(port))).unwrap();
    connection
}

pub fn reconnecting(url: &str, timeout: Duration) -> ReconnectingSender {
    let config =
        ConnectionManagerConfig::new().set_response_timeout(Some(timeout)).set_connection_timeout(Some(PATIENCE));
    ReconnectingSender::new(Client::open(url).unwrap(), config).unwrap()
}

pub fn cluster(port: &str) -> ClusterClientBuilder {
    ClusterClient::builder([url("CLUSTER")]).response_timeout(timeout(port)).connection_timeout(PATIENCE)
}

/// A client of each kind, with what the tests do with all of them alike.
pub enum Caller {
    Connection(Box<Connection>),
    Multiplexed(MultiplexedConnection),
    Reconnecting(ReconnectingSender),
    Cluster(ClusterSender),
    AsyncCluster(AsyncClusterSender),
}

pub const NAMES: [&str; 5] =
    ["Connection", "MultiplexedConnection", "ReconnectingSender", "ClusterConnection", "cluster_async"];

impl Caller {
    pub async fn new(name: &str, port: &str) -> Self {
        Self::with(name, port, timeout(port)).await
    }

    /// With another time-out than its port's, where it is asynchronous and no cluster's.
    pub async fn with(name: &str, port: &str, timeout: Duration) -> Self {
        match name {
            "Connection" => Caller::Connection(Box::new(blocking(port))),
            "MultiplexedConnection" => {
                let config = AsyncConnectionConfig::new()
                    .set_response_timeout(Some(timeout))
                    .set_connection_timeout(Some(PATIENCE));
                let client = Client::open(url(port)).unwrap();
                Caller::Multiplexed(client.get_multiplexed_async_connection_with_config(&config).await.unwrap())
            }
            "ReconnectingSender" => Caller::Reconnecting(reconnecting(&url(port), timeout)),
            "ClusterConnection" => Caller::Cluster(ClusterSender::new(cluster(port)).unwrap()),
            _ => Caller::AsyncCluster(AsyncClusterSender::new(cluster(port)).await.unwrap()),
        }
    }

    pub async fn load(&mut self) {
        match self {
            Caller::Connection(sender) => load_functions(sender.as_mut()),
            Caller::Multiplexed(sender) => load_functions_async(sender).await,
            Caller::Reconnecting(sender) => load_functions_async(sender).await,
            Caller::Cluster(sender) => load_functions(sender),
            Caller::AsyncCluster(sender) => load_functions_async(sender).await,
        }
        .unwrap()
    }
}
