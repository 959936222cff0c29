package io.github.penstock.jedis;

import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.Pool;

/**
 * Calls that are sent together: to each node in flights of at most 256, to all nodes at once, each
 * over one connection. This number fits into a socket's buffers, so that writing never waits for a
 * server that does not read. For one thread.
 */
final class JedisBatch {
  private static final int FLIGHT = 256;
  private final NodePools nodes;
  private final boolean given;
  private final List<ScriptCall> calls;
  private final BiFunction<JedisRedirectionException, ScriptCall, @Nullable Object> follow;
  private final List<CompletableFuture<@Nullable Object>> replies;
  private final Map<Integer, JedisRedirectionException> redirections = new TreeMap<>();
  private final Map<Pool<Connection>, NotSentException> lostNodes = new IdentityHashMap<>();

  JedisBatch(
      NodePools nodes,
      boolean given,
      List<ScriptCall> calls,
      BiFunction<JedisRedirectionException, ScriptCall, @Nullable Object> follow) {
    this.nodes = nodes;
    this.given = given;
    this.calls = calls;
    this.follow = follow;
    replies =
        Stream.generate(CompletableFuture<@Nullable Object>::new).limit(calls.size()).toList();
  }

  List<CompletableFuture<@Nullable Object>> replies() {
    for (int from = 0; from < calls.size(); from += FLIGHT) {
      fly(from, Math.min(calls.size(), from + FLIGHT));
    }
    redirections.forEach(this::follow);
    return replies;
  }

  private void fly(int from, int to) {
    Map<Pool<Connection>, Flight> flights = new IdentityHashMap<>();
    for (int i = from; i < to; i++) {
      try {
        Pool<Connection> owner = nodes.owner(calls.get(i).key());
        if (lostNodes.containsKey(owner)) {
          throw lostNodes.get(owner);
        }
        flights.computeIfAbsent(owner, Flight::new).indexes.add(i);
      } catch (RuntimeException e) {
        replies.get(i).completeExceptionally(e);
      }
    }
    flights.values().forEach(Flight::write);
    flights.values().forEach(Flight::read);
  }

  private void follow(int index, JedisRedirectionException redirection) {
    try {
      replies.get(index).complete(follow.apply(redirection, calls.get(index)));
    } catch (RuntimeException e) {
      replies.get(index).completeExceptionally(e);
    }
  }

  /** The failure of the later calls of a batch when an earlier one lost the node. */
  private static NotSentException notSent(RuntimeException failure) {
    return failure instanceof NotSentException known
        ? known
        : NotSentException.notConnected(
            new JedisException("not sent, as the node was lost", failure));
  }

  /** The calls of one node. */
  private final class Flight {
    private final Pool<Connection> pool;
    private final List<Integer> indexes = new ArrayList<>();
    private @Nullable ConnectionLease lease;

    Flight(Pool<Connection> pool) {
      this.pool = pool;
    }

    void write() {
      try {
        lease = new ConnectionLease(nodes, pool, given, calls.get(indexes.get(0)));
        for (int index : indexes) {
          lease.write(JedisTransport.command(calls.get(index), false));
        }
        lease.flush();
      } catch (RuntimeException e) {
        lost(e, indexes);
      }
    }

    void read() {
      if (lease == null) {
        return;
      }
      try (ConnectionLease open = lease) {
        for (int i = 0; i < indexes.size() && !replies.get(indexes.get(i)).isDone(); i++) {
          readOne(open, i);
        }
      }
    }

    private void readOne(ConnectionLease open, int at) {
      int index = indexes.get(at);
      try {
        replies.get(index).complete(open.read(calls.get(index)));
      } catch (JedisRedirectionException e) {
        redirections.put(index, e);
        nodes.failed(pool, e);
      } catch (JedisDataException e) {
        replies.get(index).completeExceptionally(e);
        nodes.failed(pool, e);
      } catch (RuntimeException e) {
        lost(e, indexes.subList(at, indexes.size()));
      }
    }

    private void lost(RuntimeException failure, List<Integer> unanswered) {
      unanswered.forEach(index -> replies.get(index).completeExceptionally(failure));
      lostNodes.put(pool, notSent(failure));
      nodes.failed(pool, failure);
    }
  }
}
