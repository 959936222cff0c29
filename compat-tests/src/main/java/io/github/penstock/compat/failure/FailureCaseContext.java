package io.github.penstock.compat.failure;

import com.sun.net.httpserver.HttpServer;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.LocalCertificate;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ServerEndpoint;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A server that something is wrong with, and where clients are told to find it.
 *
 * @param endpoint the address, with its credentials
 * @param beginning makes it go wrong; null if it is wrong from the start
 * @param owned resources that end with the scene
 */
record FailureCaseContext(
    ServerEndpoint endpoint, @Nullable Runnable beginning, List<? extends AutoCloseable> owned)
    implements AutoCloseable {
  /** Occurs in URIs, and must not occur in any message. */
  static final String SECRET = "p/w@#?%+ &=:,[";

  /** A server to which clients are told to connect in some other way. */
  static FailureCaseContext connected(Function<RedisUrl, ServerEndpoint> endpoint) {
    ServerProcess server = SharedDeployments.process();
    return new FailureCaseContext(endpoint.apply(server.url()), null, List.of(server));
  }

  static FailureCaseContext at(RedisUrl url) {
    return new FailureCaseContext(new ServerEndpoint.Single(url), null, List.of());
  }

  /** A server that lacks some commands. */
  static FailureCaseContext without(@Nullable String password, String... commands) {
    String[] options =
        List.of(commands).stream()
            .flatMap(command -> List.of("--rename-command", command, "").stream())
            .toArray(String[]::new);
    ServerProcess server = SharedDeployments.process(options);
    return new FailureCaseContext(single(server.url(), password), null, List.of(server));
  }

  /** The password is changed and connections are cut, as a restart or a time-out does. */
  static FailureCaseContext rotatedPassword() {
    ServerProcess server = SharedDeployments.process();
    RespConnection admin = server.connect();
    admin.call("CONFIG", "SET", "requirepass", SECRET);
    return new FailureCaseContext(
        single(server.url(), SECRET),
        () -> {
          admin.call("CONFIG", "SET", "requirepass", "another");
          admin.call("CLIENT", "KILL", "TYPE", "normal");
        },
        List.of(admin, server));
  }

  /** A server that speaks TLS, with an untrusted certificate. */
  static FailureCaseContext tls(boolean encrypted) {
    ServerProcess server = SharedDeployments.process();
    FaultProxy proxy = FaultProxy.before(server.url(), CertificateHolder.SHARED);
    return new FailureCaseContext(
        new ServerEndpoint.Single(proxy.url(), encrypted), null, List.of(proxy, server));
  }

  /** A server without TLS that has as many clients as it may, and says so to any other at once. */
  static FailureCaseContext fullOfClients() {
    ServerProcess server = SharedDeployments.process("--maxclients", "1");
    RespConnection only = server.connect();
    return new FailureCaseContext(
        new ServerEndpoint.Single(server.url(), true), null, List.of(only, server));
  }

  /**
   * A port that accepts connections and resets them once they send anything but TLS, like the TLS
   * port of Redis; a load balancer without a backend does this too.
   */
  static FailureCaseContext resets() {
    try {
      ServerSocket port = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
      Thread thread = new Thread(() -> resetAll(port), "resets");
      thread.setDaemon(true);
      thread.start();
      return new FailureCaseContext(
          new ServerEndpoint.Single(RedisUrl.local(port.getLocalPort())), null, List.of(port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void resetAll(ServerSocket port) {
    while (!port.isClosed()) {
      try (Socket connection = port.accept()) {
        connection.setSoLinger(true, 0);
        connection.getInputStream().read();
      } catch (IOException closed) {
        // The next one, unless the port is closed.
      }
    }
  }

  /** A server of another kind, which answers any request with an error in its own format. */
  static FailureCaseContext http() {
    try {
      HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
      server.start();
      RedisUrl url = RedisUrl.local(server.getAddress().getPort());
      AutoCloseable stop = () -> server.stop(0);
      return new FailureCaseContext(new ServerEndpoint.Single(url), null, List.of(stop));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ServerEndpoint single(RedisUrl url, @Nullable String password) {
    return new ServerEndpoint.Single(new RedisUrl(url.host(), url.port(), null, password, 0));
  }

  @Override
  public void close() {
    for (AutoCloseable each : owned) {
      try {
        each.close();
      } catch (Exception failure) {
        throw new IllegalStateException(failure);
      }
    }
  }

  private static final class CertificateHolder {
    static final LocalCertificate SHARED = LocalCertificate.make();
  }
}
