use penstock_redis::{AsyncSender, Failure};
use redis::{Cmd, RedisResult, Value};

/// Stands in for a server: grants one unit of 100 to each call, or denies for a second.
#[derive(Clone)]
pub struct DoubleSender {
    pub allows: bool,
}

impl AsyncSender for DoubleSender {
    async fn send(&mut self, commands: &[Cmd]) -> Vec<Result<Value, Failure>> {
        // Granted, limit, remaining, wait and reset in microseconds, tier.
        let reply = if self.allows { [1, 100, 99, 0, 1_000_000, 1] } else { [0, 100, 0, 1_000_000, 1_000_000, 1] };
        commands.iter().map(|_| Ok(Value::Array(reply.map(Value::Int).to_vec()))).collect()
    }

    async fn send_to_masters(&mut self, _: &Cmd) -> RedisResult<()> {
        Ok(())
    }
}
