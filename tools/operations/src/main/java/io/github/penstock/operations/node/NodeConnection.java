package io.github.penstock.operations.node;

import io.github.penstock.operations.server.ServerComplaint;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.testkit.resp.CommandSender;
import io.github.penstock.testkit.resp.RespError;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One connection to one server, signed in, and encrypted if the URI says so. Not safe for use by
 * several threads.
 */
public final class NodeConnection implements CommandSender, AutoCloseable {
  private final HostAndPort address;
  private final Connection connection;

  private NodeConnection(HostAndPort address, Connection connection) {
    this.address = address;
    this.connection = connection;
  }

  /**
   * Connects and signs in.
   *
   * @throws UserErrorException if that is not possible
   */
  static NodeConnection open(HostAndPort address, JedisClientConfig config) {
    try {
      return new NodeConnection(address, new Connection(address, config));
    } catch (JedisException failure) {
      throw ServerComplaint.of(address, failure);
    }
  }

  HostAndPort address() {
    return address;
  }

  /** The answer, its texts read as ISO 8859-1, so that a character is a byte. */
  @Override
  public @Nullable Object call(String... command) {
    byte[][] arguments =
        Arrays.stream(command, 1, command.length)
            .map(argument -> argument.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
    try {
      connection.sendCommand(() -> command[0].getBytes(StandardCharsets.US_ASCII), arguments);
      return text(connection.getOne());
    } catch (JedisDataException error) {
      return new RespError(String.valueOf(error.getMessage()));
    } catch (JedisException failure) {
      throw ServerComplaint.of(address, failure);
    }
  }

  /**
   * The answer, unless it is an error.
   *
   * @throws UserErrorException if it is one
   */
  public @Nullable Object expect(String... command) {
    Object answer = call(command);
    if (answer instanceof RespError error) {
      boolean functions = command[0].equals("FUNCTION") && error.text().startsWith("ERR ");
      String hint = functions ? " (Functions need Redis 7.0 or newer)" : "";
      throw ServerComplaint.of(address, error.text() + hint);
    }
    return answer;
  }

  private static @Nullable Object text(@Nullable Object answer) {
    if (answer instanceof byte[] bytes) {
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
    if (answer instanceof List<?> list) {
      List<@Nullable Object> texts = new ArrayList<>();
      list.forEach(each -> texts.add(text(each)));
      return texts;
    }
    return answer;
  }

  @Override
  public void close() {
    connection.close();
  }
}
