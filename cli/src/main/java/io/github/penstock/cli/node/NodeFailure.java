package io.github.penstock.cli.node;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.testkit.resp.RespError;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import redis.clients.jedis.HostAndPort;

/** Turns what a server or the connection to it says into a sentence that tells what to do. */
final class NodeFailure {
  private static final int LONGEST = 200;

  /* The words of a failure, and the sentence about it; the first that fits. */
  private static final Map<String, String> SENTENCES = new LinkedHashMap<>();

  static {
    SENTENCES.put(
        "NOAUTH|WRONGPASS|invalid password",
        "ADDRESS refuses this user or password: put the right ones into the URI, or give --user and"
            + " the environment variable PENSTOCK_PASSWORD.");
    SENTENCES.put(
        "AUTH.*without any password",
        "ADDRESS has no password set: leave the password out of the URI and of PENSTOCK_PASSWORD.");
    SENTENCES.put(
        "NOPERM",
        "ADDRESS does not let this user do that (TEXT): sign in as another, or give it the rules of"
            + " `penstock scripts acl`.");
    SENTENCES.put(
        "READONLY",
        "ADDRESS is a replica, which cannot be written: give the address of its primary.");
    SENTENCES.put(
        "MOVED |CLUSTERDOWN",
        "ADDRESS is a node of a cluster, which does not serve this key: give"
            + " --redis redis-cluster://...");
    SENTENCES.put("LOADING", "ADDRESS is still loading its data: try again when it is ready.");
    SENTENCES.put("MASTERDOWN", "ADDRESS is a replica that has lost its primary: try again later.");
    SENTENCES.put(
        "WRONGTYPE",
        "the key holds no string, so no script of Penstock's wrote it: check its name.");
    SENTENCES.put(
        "(?i)unknown command.*(function|sentinel)|unknown subcommand.*function",
        "ADDRESS knows no such command (TEXT): Functions need Redis 7.0 or newer, and"
            + " redis-sentinel:// the address of a sentinel.");
    SENTENCES.put(
        "(?i)certificat|PKIX|No subject alternative|trustAnchors",
        "the certificate of ADDRESS is not trusted (TEXT): give the authority that signed it with"
            + " --ca FILE, and the host by a name that stands in it.");
    SENTENCES.put(
        "(?i)unknown reply|end of stream|read timed out|ssl|handshake|connection reset|broken pipe",
        "what listens at ADDRESS does not answer like Redis: check host and port, and redis://"
            + " against rediss:// (TLS).");
    SENTENCES.put(
        "(?i)refused|failed to connect|unknown host|connect timed out|unreachable|no route",
        "no server answers at ADDRESS: start it, or correct --redis.");
  }

  private NodeFailure() {}

  /** The complaint about an error that the server answered. */
  static UserErrorException of(HostAndPort address, RespError error) {
    return new UserErrorException(sentence(address, error.text(), error.text()));
  }

  /** The complaint about a connection that failed. */
  static UserErrorException of(HostAndPort address, RuntimeException failure) {
    StringBuilder text = new StringBuilder();
    String last = "";
    for (Throwable t = failure; t != null; t = t.getCause()) {
      String message = t instanceof UnknownHostException ? "unknown host" : t.getMessage();
      text.append(text.isEmpty() ? "" : ": ").append(message);
      last = message == null ? last : message;
      for (Throwable also : t.getSuppressed()) {
        text.append(": ").append(also.getMessage());
      }
    }
    return new UserErrorException(sentence(address, text.toString(), last), failure);
  }

  private static String sentence(HostAndPort address, String text, String reason) {
    String shown = SafeText.terminal(reason, LONGEST);
    return SENTENCES.entrySet().stream()
        .filter(known -> Pattern.compile(known.getKey()).matcher(text).find())
        .map(known -> known.getValue().replace("ADDRESS", "" + address).replace("TEXT", shown))
        .findFirst()
        .orElse(address + " answers: " + shown);
  }
}
