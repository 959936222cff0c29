package io.github.penstock.testkit.fault;

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

  /** The server does not have its script. */
  UNKNOWN_SCRIPT(NetworkFault.NONE, "\r\n[0-9a-f]{40}\r\n", "\r\n" + "0".repeat(40) + "\r\n"),

  /** The server rejects it. */
  UNKNOWN_COMMAND(NetworkFault.NONE, "(?i)\r\nevalsha\r\n", "\r\nNOTHING\r\n");

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

  /** The number of calls of the trip that a command begins; 0 if it begins none. */
  static int calls(byte[] request) {
    Matcher several = SEVERAL.matcher(text(request));
    return several.find() ? Integer.parseInt(several.group(1)) + 1 : 0;
  }

  private static String text(byte[] request) {
    return new String(request, StandardCharsets.ISO_8859_1);
  }
}
