package io.github.penstock.testkit.resp;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads values of RESP2 and RESP3. Not safe for use by several threads. */
public final class RespReader {
  /** The message of the ProtocolException about a server that answers with an alert of TLS. */
  public static final String TLS = "the server speaks TLS, as it answered with an alert";

  private static final int TLS_ALERT = 0x15;
  private final InputStream in;

  /** Reads from a stream, byte by byte: give it one with a buffer. */
  public RespReader(InputStream in) {
    this.in = in;
  }

  /** The next value, as {@link CommandSender#call} returns it; an EOFException at the end. */
  public @Nullable Object read() throws IOException {
    int type = in.read();
    if (type == TLS_ALERT) {
      throw new ProtocolException(TLS);
    }
    String line = line(type);
    return switch (type) {
      case '+', '(' -> line;
      case '-' -> new RespError(line);
      case ':' -> Long.valueOf(line);
      case ',' -> Double.valueOf(line.replace("inf", "Infinity"));
      case '#' -> line.equals("t");
      case '_' -> null;
      case '$', '=' -> bulk(Integer.parseInt(line));
      case '!' -> new RespError(String.valueOf(bulk(Integer.parseInt(line))));
      case '*', '~', '>' -> list(Integer.parseInt(line));
      case '%' -> map(Integer.parseInt(line));
      case '|' -> {
        map(Integer.parseInt(line));
        yield read();
      }
      default -> throw new ProtocolException("an answer of unknown type " + (char) type + line);
    };
  }

  private String line(int type) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int next = type < 0 ? type : in.read();
    while (next >= 0 && next != '\r') {
      bytes.write(next);
      next = in.read();
    }
    if (next < 0 || in.read() != '\n') {
      throw new EOFException("the server closed the connection");
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private @Nullable String bulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length || in.read() != '\r' || in.read() != '\n') {
      throw new EOFException("the server closed the connection");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private @Nullable List<@Nullable Object> list(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    List<@Nullable Object> items = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      items.add(read());
    }
    return items;
  }

  private Map<@Nullable Object, @Nullable Object> map(int length) throws IOException {
    Map<@Nullable Object, @Nullable Object> entries = new LinkedHashMap<>();
    for (int i = 0; i < length; i++) {
      entries.put(read(), read());
    }
    return entries;
  }
}
