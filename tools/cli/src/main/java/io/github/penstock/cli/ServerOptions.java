package io.github.penstock.cli;

import io.github.penstock.operations.server.CheckedServer;
import io.github.penstock.report.console.UserErrorException;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which server a command uses: at most one of the two. */
final class ServerOptions {
  @Option(
      names = "--redis",
      paramLabel = "URI",
      description = {
        "a running Redis or Valkey: redis://[[user]:password@]host[:port][/database], rediss:// for"
            + " TLS.",
        "Only keys under a random prefix of its own are written there, and they are removed at the"
            + " end."
      })
  private @Nullable String redis;

  @Option(
      names = "--server",
      paramLabel = "FILE",
      description =
          "a redis-server or valkey-server to start in place of the embedded Redis; a name is"
              + " searched for in PATH.")
  private @Nullable String server;

  @Nullable URI redis() {
    return redis == null ? null : checked(redis);
  }

  @Nullable String server() {
    return server;
  }

  /** Reaches the server that the options name, or starts one. */
  CheckedServer open() {
    return CheckedServer.open(redis(), server);
  }

  private static URI checked(String text) {
    try {
      URI uri = new URI(text);
      boolean known = "redis".equals(uri.getScheme()) || "rediss".equals(uri.getScheme());
      if (known && uri.getHost() != null && database(uri.getPath())) {
        return uri.getPort() < 0 ? withPort(uri) : uri;
      }
    } catch (URISyntaxException wrong) {
      // The text may hold a password, and so does the exception's message.
    }
    throw new UserErrorException(
        "--redis must be a URI such as redis://localhost:6379 or"
            + " rediss://user:password@host:6380/0; characters with a meaning in URIs are written"
            + " %XX in a password.");
  }

  private static boolean database(String path) {
    return path.isEmpty() || path.matches("/\\d{0,4}");
  }

  private static URI withPort(URI uri) throws URISyntaxException {
    return new URI(
        uri.getScheme(), uri.getUserInfo(), uri.getHost(), 6379, uri.getPath(), null, null);
  }
}
