package io.github.penstock.simulator.tokens;

import io.github.penstock.scripts.LuaScript;
import io.github.penstock.scripts.ReservationScript;
import io.github.penstock.simulator.model.ServerPipeline;
import io.github.penstock.simulator.model.ServerPipeline.SentCommand;
import io.github.penstock.testkit.model.StoredValue;
import io.github.penstock.testkit.reservation.ReservationModel;
import io.github.penstock.testkit.reservation.ReservationOutcome;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.RedisClient;

/** The exact model, and a server that must answer the same. Not safe for use by several threads. */
final class CheckedModel {
  private final ReservationModel model = new ReservationModel();
  private final Map<String, String> sha1s = new HashMap<>();
  private final ServerPipeline pipeline;
  private long decisions;

  CheckedModel(RedisClient server) {
    pipeline = new ServerPipeline(server);
    for (LuaScript script : LuaScript.values()) {
      sha1s.put(script.scriptName(), script.sha1());
    }
    for (ReservationScript script : ReservationScript.values()) {
      sha1s.put(script.scriptName(), script.sha1());
    }
  }

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
    pipeline.send(
        new SentCommand(
            command,
            answer -> {
              if (!outcome.reply().equals(answer)) {
                throw new IllegalStateException(
                    "%s on %s with %s differs from the exact model: the server answered %s, the model says %s."
                        .formatted(script, keys, arguments, answer, outcome.reply()));
              }
            }));
    decisions++;
    return outcome.reply();
  }

  /** Lets the model forget a key that is never asked for again. */
  void forget(String key) {
    model.put(key, StoredValue.NOTHING);
  }

  /** Waits for all answers; returns how many decisions were made, all of them the same. */
  long end() {
    pipeline.flush();
    return decisions;
  }
}
