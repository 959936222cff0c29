package io.github.penstock.simulator.model;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.scripts.ReservationScript;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Commands for a server that has the scripts, many sent together. Not safe for use by several
 * threads.
 */
public final class ServerPipeline {
  private static final int AT_ONCE = 1_000;
  private final RedisClient server;
  private final List<SentCommand> unsent = new ArrayList<>();

  /**
   * A command, and the consumer of its answer.
   *
   * @param answered hears the answer; of an error that is the script's own, the text
   */
  public record SentCommand(CommandArguments arguments, Consumer<Object> answered) {}

  public ServerPipeline(RedisClient server) {
    this.server = server;
  }

  /** Brings the scripts to a server. */
  public static void load(RedisClient server) {
    for (LuaScript script : LuaScript.values()) {
      server.scriptLoad(script.source());
    }
    for (ReservationScript script : ReservationScript.values()) {
      server.scriptLoad(script.source());
    }
  }

  /** Sends a command, some time before the next {@link #flush} has returned. */
  public void send(SentCommand command) {
    unsent.add(command);
    if (unsent.size() == AT_ONCE) {
      flush();
    }
  }

  /**
   * Returns when all commands are answered.
   *
   * @throws UserErrorException if the server no longer knows a script
   */
  public void flush() {
    if (unsent.isEmpty()) {
      return;
    }
    List<SentCommand> sent = List.copyOf(unsent);
    unsent.clear();
    List<Object> answers;
    try (Pipeline pipeline = server.pipelined()) {
      sent.forEach(each -> pipeline.sendCommand(each.arguments));
      answers = pipeline.syncAndReturnAll();
    }
    for (int i = 0; i < sent.size(); i++) {
      Object answer = answers.get(i);
      sent.get(i)
          .answered
          .accept(answer instanceof JedisDataException refused ? text(refused) : answer);
    }
  }

  private static String text(JedisDataException refused) {
    String text = String.valueOf(refused.getMessage());
    if (text.startsWith("NOSCRIPT")) {
      throw new UserErrorException(
          "the server was restarted or its script cache was emptied during the run: run it again.",
          refused);
    }
    if (!text.startsWith("ERR penstock")) {
      throw refused;
    }
    return text;
  }
}
