package io.github.penstock.jedis;

import io.github.penstock.core.spi.PortReply;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptPort;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.Pool;

/**
 * Sends each call once over a pooled connection; again only where MOVED or ASK say that it did not
 * run. Safe for use by several threads.
 */
final class JedisPort implements ScriptPort {
  private static final byte[] ONE_KEY = {'1'};
  private static final int MAX_REDIRECTIONS = 5;
  private final NodePools nodes;

  JedisPort(NodePools nodes) {
    this.nodes = nodes;
  }

  @Override
  public @Nullable Object send(ScriptCall call) {
    NodePools.ReplicaRoute replicas = call.verb().readOnly() ? nodes.replicas() : null;
    if (replicas != null) {
      return replicas.send(command(call, true));
    }
    try {
      return exchange(nodes.owner(call.key()), call, false);
    } catch (JedisRedirectionException e) {
      return follow(e, call);
    }
  }

  @Override
  public List<PortReply> sendAll(List<ScriptCall> calls) {
    return new JedisBatch(nodes, calls, this::follow).replies();
  }

  @Override
  public @Nullable String serverError(Throwable failure) {
    return errorOf(failure);
  }

  static @Nullable String errorOf(Throwable failure) {
    for (Throwable told = failure; told != null; told = told.getCause()) {
      if (told instanceof JedisDataException) {
        return told.getMessage();
      }
    }
    return null;
  }

  @Override
  public @Nullable Object node(ScriptCall call) {
    return nodes.node(call.key());
  }

  @Override
  public void loadFunctions(String library) {
    nodes.toEveryMaster(
        new CommandArguments(Command.FUNCTION).add("LOAD").add("REPLACE").add(library));
  }

  /** Sends a call where {@code first} says that it must go. */
  @Nullable Object follow(JedisRedirectionException first, ScriptCall call) {
    JedisRedirectionException redirection = first;
    for (int i = 0; i < MAX_REDIRECTIONS && call.remainingNanos() > 0; i++) {
      boolean asking = redirection instanceof JedisAskDataException;
      try {
        return exchange(nodes.target(redirection), call, asking);
      } catch (JedisRedirectionException e) {
        redirection = e;
      }
    }
    throw redirection;
  }

  private @Nullable Object exchange(Pool<Connection> pool, ScriptCall call, boolean asking) {
    try (ConnectionLease lease = new ConnectionLease(pool, call)) {
      if (asking) {
        lease.write(new CommandArguments(Command.ASKING));
        lease.read(call);
      }
      lease.write(command(call, false));
      return lease.read(call);
    } catch (RuntimeException e) {
      nodes.failed(pool, e);
      throw e;
    }
  }

  static CommandArguments command(ScriptCall call, boolean routed) {
    CommandArguments command = new CommandArguments(verb(call));
    command.add(call.target()).add(ONE_KEY);
    command = routed ? command.key(call.key()) : command.add(call.key());
    int count = call.argumentCount();
    for (int i = 0; i < count; i++) {
      command.add(call.argument(i));
    }
    return command;
  }

  private static Command verb(ScriptCall call) {
    return switch (call.verb()) {
      case EVALSHA -> Command.EVALSHA;
      case EVAL -> Command.EVAL;
      case EVALSHA_RO -> Command.EVALSHA_RO;
      case EVAL_RO -> Command.EVAL_RO;
      case FCALL -> Command.FCALL;
      case FCALL_RO -> Command.FCALL_RO;
    };
  }
}
