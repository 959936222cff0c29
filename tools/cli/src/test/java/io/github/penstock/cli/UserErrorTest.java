package io.github.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * Whatever a caller does wrong is answered with one sentence that says what to do, and the exit
 * code 2.
 */
class UserErrorTest {
  @Test
  void withoutACommandTheCommandsAreShown() {
    CommandRun ran = CommandRun.penstock();
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("compare", "script-cost");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--bogus | --help",
        "compare --bogus | --help",
        "compaer | --help",
        "script-cost --rounds x | --help",
        "-x | Unknown option: '-x'",
        "help nosuch | Unknown subcommand 'nosuch'.",
        "script-cost --rounds 0 | --rounds must be from 1 to 1,000",
        "script-cost --rounds 1001 | --rounds must be from 1 to 1,000",
        "compare --redis localhost:6379 | --redis must be a URI such as",
        "compare --redis http://localhost | --redis must be a URI such as",
        "compare --redis redis:// | --redis must be a URI such as",
        "compare --redis redis://h/x | --redis must be a URI such as",
        "compare --redis redis://127.0.0.1:1 | no server answers at 127.0.0.1:1",
        "compare --redis redis://no-such-host.invalid | no server answers at no-such-host.invalid:6379",
        "compare --server /no/such/file | and /no/such/file is not one: check its path and its permissions.",
        "compare --server /bin/echo | does not start as a server",
        "compare --server a --redis redis://h | --redis and --server name different servers: give only one",
        "script-cost --server a --redis redis://h | --redis and --server name different servers",
        "bench --server a --redis redis://h | --redis and --server name different servers: give only one",
        "compare --out a --out b | '--out' or '--report' must be given only once",
        "compare --cost 2 | --cost needs a log: give one with --log.",
        "compare --subject all | --subject needs a log: give one with --log.",
        "compare --format csv | --format needs a log: give one with --log.",
        "compare --time t | --time needs a log: give one with --log.",
        "compare --lease 0,1s | '0,1s' must be UNITS,TIME such as 100,500ms: 2 to 10^12",
        "compare --lease 1,1s | '1,1s' must be UNITS,TIME such as 100,500ms: 2 to 10^12",
        "compare --lease 100 | '100' must be UNITS,TIME",
        "compare --lease 100,0s | '100,0s' must be UNITS,TIME",
        "compare --lease 100,500 | '100,500' must be UNITS,TIME",
        "compare --lease 100,2h | '100,2h' must be UNITS,TIME",
        "compare --lease 100,5xy | '100,5xy' must be UNITS,TIME",
        "compare --lease 1000000000001,1s | option '--lease': '1000000000001,1s' must be UNITS,TIME",
        "compare --lease 9,1s --processes 0 | --processes must be from 1 to 10,000: 0",
        "compare --lease 9,1s --processes 10001 | --processes must be from 1 to 10,000: 10001",
        "compare --processes 4 | --processes needs a lease: give one with --lease",
        "compare --threads 0 | --threads must be from 1 to 64: 0",
        "compare --threads 65 | --threads must be from 1 to 64: 65"
      })
  void whatIsWrongIsNamed(String arguments, String part) {
    assertComplaint(CommandRun.penstock(arguments.split(" ")), part);
  }

  @Test
  void aUriThatIsNoneDoesNotRepeatAPassword() {
    assertThat(CommandRun.penstock("compare", "--redis", "redis://:sec ret@h").err())
        .doesNotContain("ret@");
  }

  @Test
  void aPasswordThatIsMissingOrWrong() {
    try (TestServer server = new EmbeddedServer().start();
        RespConnection connection = server.connect()) {
      connection.call("CONFIG", "SET", "requirepass", "right");
      String address = server.url().host() + ":" + server.url().port();
      assertComplaint(CommandRun.penstock("compare", "--redis", "redis://" + address), "password");
      CommandRun wrong = CommandRun.penstock("compare", "--redis", "redis://:wrong@" + address);
      assertComplaint(wrong, "refuses this user or password");
      assertThat(wrong.err()).doesNotContain("wrong@");
    }
  }

  @Test
  void anythingElseThatListens() throws IOException {
    try (ServerSocket web = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread answer = new Thread(() -> answerAsWebServer(web));
      answer.start();
      assertComplaint(
          CommandRun.penstock("compare", "--redis", "redis://127.0.0.1:" + web.getLocalPort()),
          "does not answer like Redis");
    }
  }

  @Test
  void aNodeOfACluster() {
    try (TestServer server = new EmbeddedServer().start("--cluster-enabled", "yes")) {
      assertComplaint(
          CommandRun.penstock("compare", "--redis", server.url().toString()), "cluster");
    }
  }

  @Test
  void aReplica() {
    try (TestServer server = new EmbeddedServer().start();
        TestServer replica = new EmbeddedServer().start();
        RespConnection connection = replica.connect()) {
      connection.call("REPLICAOF", server.url().host(), Integer.toString(server.url().port()));
      for (String command : List.of("compare", "bench", "script-cost")) {
        assertComplaint(
            CommandRun.penstock(command, "--redis", replica.url().toString()), "is a replica");
      }
    }
  }

  @Test
  void aServerWithoutMemory() {
    try (TestServer server = new EmbeddedServer().start("--maxmemory", "1")) {
      for (String command : List.of("compare", "bench", "script-cost")) {
        assertComplaint(
            CommandRun.penstock(command, "--redis", server.url().toString()),
            "has no memory left for another key");
      }
    }
  }

  @Test
  void aCommandInAHelpCanBeCopied() {
    assertThat(CommandRun.penstock("help").exitCode()).isZero();
    assertThat(CommandRun.penstock("help", "compare").out()).contains("--limit");
    assertThat(CommandRun.penstock("compare", "\u001b[31mred").err()).doesNotContain("\u001b");
  }

  @Test
  void everyCommandHasTheVersion() {
    for (String command : List.of("compare", "plan", "bench", "script-cost")) {
      assertThat(CommandRun.penstock(command, "-V").out()).startsWith("Penstock scripts ");
    }
  }

  @Test
  void aNameThatNoFileCanHave() {
    assertComplaint(
        CommandRun.penstock("compare", "--log", "a\0b"), "cannot be the name of a file");
  }

  @Test
  void outputThatCannotBeWritten() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        PenstockCommand.run(new PrintStream(full), new PrintStream(err), "compare", "-V");
    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("not all of the output could be written");
  }

  @Test
  void theStackTraceOfAFaultIsInAFile() throws IOException {
    StringWriter err = new StringWriter();
    int exitCode = PenstockCommand.explain(new IllegalStateException("odd"), errorsTo(err));
    assertThat(exitCode).isEqualTo(1);
    assertThat(err.toString()).startsWith("penstock: odd").doesNotContain("\tat ");
    Path trace = Path.of(err.toString().replaceAll("(?s).*report it, with (.*)\\.\\n", "$1"));
    assertThat(trace).content().contains("IllegalStateException: odd", "theStackTraceOfAFault");
    Files.delete(trace);
  }

  @Test
  void aFullHeapIsASentence() {
    StringWriter err = new StringWriter();
    assertThat(PenstockCommand.explain(new OutOfMemoryError(), errorsTo(err))).isEqualTo(2);
    assertThat(err.toString()).contains("-Xmx2g").hasLineCount(1);
  }

  private static void assertComplaint(CommandRun ran, String part) {
    assertThat(ran.exitCode()).as(ran.err()).isEqualTo(2);
    assertThat(ran.err()).contains(part).startsWith("penstock: ").doesNotContain("\tat ");
  }

  private static void answerAsWebServer(ServerSocket web) {
    byte[] answer = "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes();
    while (true) {
      try (var socket = web.accept()) {
        socket.getOutputStream().write(answer);
        socket.shutdownOutput();
        socket.getInputStream().readAllBytes();
      } catch (IOException closed) {
        if (web.isClosed()) {
          return;
        }
      }
    }
  }

  private static CommandLine errorsTo(StringWriter err) {
    return new CommandLine(new PenstockCommand()).setErr(new PrintWriter(err));
  }
}
