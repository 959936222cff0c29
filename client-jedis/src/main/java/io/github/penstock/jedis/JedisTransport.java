package io.github.penstock.jedis;

import io.github.penstock.core.FailureKind;
import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.Pool;

/**
 * Sends each call once over a pooled connection; again only after MOVED or ASK, which prove that it
 * did not run. Safe for use by several threads.
 */
final class JedisTransport implements ScriptTransport {
  private static final byte[] ONE_KEY = {'1'};
  private static final int MAX_REDIRECTIONS = 5;
  /* A shared exception without a cause. */
  private static final String ANOTHER_HOST = "failed ssl/tls hostname verification.";
  private static final String NO_RESP = "Unknown reply: ";
  private final NodePools nodes;
  private final boolean given;
  private final Function<ScriptCall, Connection> checks;

  /**
   * @param given whether the client is the application's, permanently
   * @param checks opens a connection for the check to the node of a call
   */
  JedisTransport(NodePools nodes, boolean given, Function<ScriptCall, Connection> checks) {
    this.nodes = nodes;
    this.given = given;
    this.checks = checks;
  }

  /** Calls through the application's client. */
  static JedisTransport of(NodePools nodes, boolean given) {
    return new JedisTransport(nodes, given, call -> JedisCheck.connected(nodes.owner(call.key())));
  }

  @Override
  public CompletionStage<@Nullable Object> send(ScriptCall call) {
    Function<CommandArguments, @Nullable Object> replicas =
        call.verb().readOnly() ? nodes.replicas() : null;
    if (replicas != null) {
      return CompletableFuture.completedFuture(replicas.apply(command(call, true)));
    }
    try {
      return CompletableFuture.completedFuture(exchange(nodes.owner(call.key()), call, false));
    } catch (JedisRedirectionException e) {
      return CompletableFuture.completedFuture(follow(e, call));
    }
  }

  @Override
  public List<CompletableFuture<@Nullable Object>> sendAll(List<ScriptCall> calls) {
    return new JedisBatch(nodes, given, calls, this::follow).replies();
  }

  @Override
  public @Nullable TransportFailure failure(Throwable thrown) {
    return failureOf(thrown);
  }

  static @Nullable TransportFailure failureOf(Throwable thrown) {
    if (thrown instanceof JedisDataException) {
      return TransportFailure.answered(thrown.getMessage());
    }
    if (!(thrown instanceof JedisException)) {
      return null;
    }
    String message = String.valueOf(thrown.getMessage());
    if (message.startsWith(NO_RESP)) {
      return TransportFailure.of(FailureKind.UNKNOWN);
    }
    boolean anotherHost = message.endsWith(ANOTHER_HOST);
    return TransportFailure.of(anotherHost ? FailureKind.MISCONFIGURED : FailureKind.NOT_ANSWERED);
  }

  /**
   * Makes a cause of Jedis' suppressed exceptions: the reasons that it could not connect to any of
   * several addresses. A server's own words are preferred.
   */
  static <T extends Throwable> T withCause(T failure) {
    Throwable[] tried = failure.getSuppressed();
    if (failure.getCause() == null && tried.length > 0) {
      failure.initCause(
          Stream.of(tried)
              .filter(JedisDataException.class::isInstance)
              .findFirst()
              .orElseGet(() -> withCause(tried[0])));
    }
    return failure;
  }

  @Override
  public boolean followsRedirects() {
    return nodes.followsRedirects();
  }

  @Override
  public boolean ordersCalls() {
    return true;
  }

  @Override
  public void renew(ScriptCall call) {
    nodes.renew(call.key());
  }

  @Override
  public boolean opens(ScriptCall call, boolean silent) {
    if (call.verb().readOnly() && nodes.replicas() != null) {
      return false;
    }
    Pool<Connection> pool = nodes.owner(call.key());
    boolean full = pool.getMaxTotal() >= 0 && pool.getNumActive() >= pool.getMaxTotal();
    return pool.getNumIdle() == 0 && !full;
  }

  @Override
  public @Nullable Object node(ScriptCall call) {
    return nodes.node(call.key());
  }

  @Override
  public boolean checksNodes() {
    return true;
  }

  @Override
  public CheckConnection openCheck(ScriptCall call) {
    return new JedisCheck(checks.apply(call));
  }

  @Override
  public CompletionStage<?> loadFunctions(String library) {
    nodes.toEveryMaster(
        new CommandArguments(Command.FUNCTION).add("LOAD").add("REPLACE").add(library));
    return CompletableFuture.completedFuture(null);
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
    throw call.remainingNanos() > 0 ? redirection : ConnectionLease.late();
  }

  private @Nullable Object exchange(Pool<Connection> pool, ScriptCall call, boolean asking) {
    try (ConnectionLease lease = new ConnectionLease(nodes, pool, given, call)) {
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
    int keys = call.keyCount();
    command.add(call.target()).add(keys == 1 ? ONE_KEY : Protocol.toByteArray(keys));
    for (int i = 0; i < keys; i++) {
      command = routed ? command.key(call.key(i)) : command.add(call.key(i));
    }
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
