package io.github.penstock.testkit.server;

import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.resp.RespConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A server process of our own, on a free port of this machine, with a temporary directory and
 * nothing kept on disk.
 *
 * <p>It can be stopped, frozen and killed while clients use it. It ends with {@link #close} and at
 * the latest with this JVM.
 */
public final class ServerProcess implements TestServer {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
  private static final int PORT_ATTEMPTS = 5;
  /* ETXTBSY: a child that another thread started while the executable was written still has the file open. */
  private static final String BUSY = "error=26,";
  private static final int BUSY_ATTEMPTS = 1_000;
  /* Its standard input ends with this JVM, also by SIGKILL; the port tells that the process is still the server. */
  private static final String GUARD =
      """
      read -r end
      { cat "/proc/$0/cmdline" || ps -o args= -p "$0"; } | grep -q "$1" && kill -9 "$0" && rm -rf "$2"
      """;

  private final ServerExecutable executable;
  private final List<String> options;
  private final Path directory;
  private final int port;
  private Process process;
  private Process guard;
  private boolean frozen;
  private boolean closed;

  private ServerProcess(ServerExecutable executable, int port, List<String> options)
      throws IOException {
    this.executable = executable;
    this.options = options;
    this.port = port;
    this.directory =
        TemporaryFiles.directory(
            "penstock-server", made -> Files.writeString(made.resolve("server.log"), "\n"));
    this.process = launch();
    this.guard = guarded();
  }

  static ServerProcess start(ServerExecutable executable, String... options) {
    IllegalStateException last = new IllegalStateException("never tried");
    for (int attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
      try {
        ServerProcess server = new ServerProcess(executable, FreePorts.next(), List.of(options));
        RunningServers.add(server);
        server.awaitAnswer();
        ServerStalls.begin(server);
        return server;
      } catch (PortTaken taken) {
        last = taken;
      } catch (IOException failure) {
        throw new UncheckedIOException(executable.path() + " does not start", failure);
      }
    }
    throw last;
  }

  private Process launch() throws IOException {
    List<String> command = new ArrayList<>(List.of(executable.path().toString()));
    command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
    command.addAll(List.of("--dir", directory.toString(), "--save", "", "--appendonly", "no"));
    command.addAll(options);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    for (int attempt = 1; ; attempt++) {
      try {
        return builder.start();
      } catch (IOException failure) {
        if (attempt == BUSY_ATTEMPTS || !String.valueOf(failure.getMessage()).contains(BUSY)) {
          throw failure;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    }
  }

  private Process guarded() throws IOException {
    String pid = Long.toString(process.pid());
    return new ProcessBuilder("sh", "-c", GUARD, pid, Integer.toString(port), directory.toString())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private Path log() {
    return directory.resolve("server.log");
  }

  /** Its log. */
  public String said() {
    try {
      return Files.readString(log());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private void awaitAnswer() throws IOException {
    long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
    while (!answers()) {
      if (!process.isAlive()) {
        String said = said();
        close();
        throw said.contains("in use")
            ? new PortTaken("port " + port + " was taken by another process")
            : new IllegalStateException(
                executable.path()
                    + " ended at once and said"
                    + (said.isBlank() ? " nothing" : ": " + said));
      }
      if (System.nanoTime() > deadline) {
        String said = said();
        close();
        throw new IllegalStateException(executable.path() + " does not answer; it said: " + said);
      }
      pause(Duration.ofMillis(20));
    }
  }

  private boolean answers() {
    try (RespConnection connection = RespConnection.open(url(), Duration.ofSeconds(1))) {
      return "PONG".equals(connection.call("PING"));
    } catch (UncheckedIOException notYet) {
      return false;
    }
  }

  private static void pause(Duration duration) {
    try {
      Thread.sleep(duration.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for a server", interrupted);
    }
  }

  @Override
  public String name() {
    return executable.name();
  }

  @Override
  public RedisUrl url() {
    return RedisUrl.local(port);
  }

  /** Freezes the process (SIGSTOP): it keeps its connections and answers nothing. */
  public synchronized void freeze() {
    frozen = true;
    signal("STOP");
  }

  /** Lets a frozen process go on (SIGCONT). */
  public synchronized void thaw() {
    signal("CONT");
    frozen = false;
  }

  /** Stops the process for a moment, unless it is frozen or dead; false once it is closed. */
  synchronized boolean stall(long nanos) {
    if (!closed && !frozen && process.isAlive()) {
      signal("STOP");
      LockSupport.parkNanos(nanos);
      signal("CONT");
    }
    return !closed;
  }

  private void signal(String signal) {
    ProcessSignals.send(signal, process.pid());
  }

  /** Ends the process at once (SIGKILL) and waits until it is gone; frozen or not. */
  public synchronized void kill() {
    process.destroyForcibly().onExit().join();
    guard.destroyForcibly();
  }

  /** Ends the process in good order (SIGTERM) and waits until it is gone. */
  public synchronized void stop() {
    process.destroy();
    process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
    guard.destroyForcibly();
  }

  /** Starts an ended process again on the same port, empty, and waits until it answers. */
  public synchronized void restart() {
    if (process.isAlive()) {
      stop();
    }
    try {
      process = launch();
      guard = guarded();
      frozen = false;
      awaitAnswer();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Kills the process and removes its directory; does nothing the second time. */
  @Override
  public synchronized void close() {
    kill();
    closed = true;
    RunningServers.remove(this);
    TemporaryFiles.delete(directory);
  }

  private static final class PortTaken extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    PortTaken(String message) {
      super(message);
    }
  }
}
