package io.github.penstock.testkit.fault;

import io.github.penstock.testkit.resp.RedisUrl;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What one of the two commands of a trip meets that several calls share. */
public enum TripFault {
  /** The connection is cut instead of passing it on. */
  NOT_DELIVERED(NetworkFault.NONE, "", ""),

  /** It is executed; the connection is cut instead of passing the reply on. */
  CUT(NetworkFault.CUT, "", ""),

  /** It is executed; its reply, and all later data of the server on that connection, are lost. */
  DROPPED(NetworkFault.REPLY_DROPPED, "", ""),

  /** It is executed; its reply is late, as {@link FaultProxy#delay} was told. */
  LATE(NetworkFault.DELAYED, "", ""),

  /** The server does not have its script. */
  UNKNOWN_SCRIPT(NetworkFault.NONE, "\r\n[0-9a-f]{40}\r\n", "\r\n" + "0".repeat(40) + "\r\n"),

  /** The server rejects it. */
  UNKNOWN_COMMAND(NetworkFault.NONE, "(?i)\r\nevalsha\r\n", "\r\nNOTHING\r\n"),

  /** It is not executed; a cluster's node sends the client to itself by MOVED. */
  MOVED(NetworkFault.NONE, TripFault.FIRST_KEY, TripFault.SLOT),

  /** It is not executed; a cluster's node sends the client to itself by ASK. */
  ASK(NetworkFault.NONE, TripFault.FIRST_KEY, TripFault.SLOT);

  private static final String FIRST_KEY =
      "(?s).*\r\n[0-9a-f]{40}\r\n\\$1\r\n1(\r\n\\$\\d+\r\n[^\r]+\r\n).*";
  private static final String SLOT = "*3\r\n\\$7\r\nCLUSTER\r\n\\$7\r\nKEYSLOT$1";
  private static final Pattern SEVERAL = Pattern.compile("\r\n[0-9]+\\*([0-9]+)\r\n");
  private final NetworkFault ofReply;
  private final String from;
  private final String to;

  TripFault(NetworkFault ofReply, String from, String to) {
    this.ofReply = ofReply;
    this.from = from;
    this.to = to;
  }

  NetworkFault ofReply() {
    return ofReply;
  }

  byte[] changed(byte[] request) {
    return text(request).replaceFirst(from, to).getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * The reply that the client gets; the server's own unless this redirects the client.
   *
   * @param here where clients reach the server
   */
  byte[] changedReply(byte[] reply, RedisUrl here) {
    if (this != MOVED && this != ASK) {
      return reply;
    }
    String slot = text(reply).substring(1).strip();
    return "-%s %s %s:%d\r\n"
        .formatted(this, slot, here.host(), here.port())
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The number of calls of the trip that a command begins; 0 if it begins none. */
  static int calls(byte[] request) {
    Matcher several = SEVERAL.matcher(text(request));
    return several.find() ? Integer.parseInt(several.group(1)) + 1 : 0;
  }

  private static String text(byte[] request) {
    return new String(request, StandardCharsets.ISO_8859_1);
  }
}
