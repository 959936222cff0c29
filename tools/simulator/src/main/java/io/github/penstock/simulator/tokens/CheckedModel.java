package io.github.penstock.simulator.tokens;

import io.github.penstock.scripts.LuaScript;
import io.github.penstock.scripts.ReservationScript;
import io.github.penstock.simulator.model.ScriptRefusal;
import io.github.penstock.testkit.model.StoredValue;
import io.github.penstock.testkit.reservation.ReservationModel;
import io.github.penstock.testkit.reservation.ReservationOutcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The exact model, and a server that must answer the same. Commands are sent as they come; answers
 * are read when {@value #AHEAD} commands are ahead of them. Not safe for use by several threads.
 */
final class CheckedModel implements AutoCloseable {
  private static final int AHEAD = 1_000;
  private final ReservationModel model = new ReservationModel();
  private final Map<String, String> sha1s = new HashMap<>();
  private final Queue<Sent> unanswered = new ArrayDeque<>();
  private final Connection connection;
  private long decisions;

  /** On a server that has the scripts. */
  CheckedModel(RedisClient server) {
    connection = server.getPool().getResource();
    for (LuaScript script : LuaScript.values()) {
      sha1s.put(script.scriptName(), script.sha1());
    }
    for (ReservationScript script : ReservationScript.values()) {
      sha1s.put(script.scriptName(), script.sha1());
    }
  }

  static void load(RedisClient server) {
    for (LuaScript script : LuaScript.values()) {
      server.scriptLoad(script.source());
    }
    for (ReservationScript script : ReservationScript.values()) {
      server.scriptLoad(script.source());
    }
  }

  private record Sent(String script, List<String> keys, List<String> arguments, List<Long> exact) {}

  /** The model's answer. */
  List<Long> call(String script, List<String> keys, List<String> arguments) {
    ReservationOutcome outcome = model.call(script, keys, arguments);
    if (outcome.error() != null) {
      throw new IllegalStateException(
          script + " " + arguments + " is refused by the model: " + outcome.error());
    }
    CommandArguments command = new CommandArguments(Command.EVALSHA).add(sha1s.get(script));
    command.add(keys.size());
    keys.forEach(key -> command.add(key.getBytes(StandardCharsets.ISO_8859_1)));
    arguments.forEach(command::add);
    connection.sendCommand(command);
    unanswered.add(new Sent(script, keys, arguments, outcome.reply()));
    decisions++;
    if (unanswered.size() > AHEAD) {
      read(AHEAD / 2);
    }
    return outcome.reply();
  }

  /** Lets the model forget a key that is never asked for again. */
  void forget(String key) {
    model.put(key, StoredValue.NOTHING);
  }

  /** Reads all answers; returns how many decisions were made, all of them the same. */
  long end() {
    read(0);
    return decisions;
  }

  private void read(int left) {
    connection.getMany(0);
    while (unanswered.size() > left) {
      compare(unanswered.remove());
    }
  }

  private void compare(Sent sent) {
    Object said;
    try {
      said = connection.getUnflushedObject();
    } catch (JedisDataException refused) {
      said = ScriptRefusal.text(refused);
    }
    if (!sent.exact.equals(said)) {
      throw new IllegalStateException(
          "%s on %s with %s differs from the exact model: the server answered %s, the model says %s."
              .formatted(sent.script, sent.keys, sent.arguments, said, sent.exact));
    }
  }

  /** Gives the connection back. */
  @Override
  public void close() {
    if (!unanswered.isEmpty()) {
      connection.setBroken();
    }
    connection.close();
  }
}
