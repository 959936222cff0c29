package io.github.penstock.simulator.replay;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.exceptions.JedisDataException;

/** A command for a server, and the consumer of the answer. */
interface ServerCommand {
  CommandArguments arguments();

  /** Hears the answer; a refusal is a {@link JedisDataException}. */
  void answered(@Nullable Object answer);

  /** One whose answer matters only if it is a refusal. */
  record KeyCommand(CommandArguments arguments) implements ServerCommand {
    @Override
    public void answered(@Nullable Object answer) {
      if (answer instanceof JedisDataException refused) {
        throw refused;
      }
    }
  }
}
