package io.github.penstock.simulator.model;

import io.github.penstock.report.console.UserErrorException;
import redis.clients.jedis.exceptions.JedisDataException;

/** Errors that a script answered, apart from those that only tell of the server. */
public final class ScriptRefusal {
  private ScriptRefusal() {}

  /**
   * The text of an error that is the script's own.
   *
   * @throws UserErrorException if the server no longer knows the script
   * @throws JedisDataException the error, if it is another one
   */
  public static String text(JedisDataException refused) {
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
