package io.github.penstock.cli.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.penstock.compat.result.CaseResult;
import io.github.penstock.compat.result.ChoiceResult;
import io.github.penstock.compat.result.CircuitResult;
import io.github.penstock.compat.result.FaultCase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientsPageTest {
  private static CaseResult result(String client, FaultCase fault, long most, long slowestUs) {
    return result(client, fault, false, most, slowestUs);
  }

  private static CaseResult result(
      String client, FaultCase fault, boolean asynchronous, long most, long slowestUs) {
    return new CaseResult(
        client,
        "redis 7.0.15",
        fault,
        asynchronous,
        16,
        500_000,
        9_000,
        40,
        10,
        most,
        slowestUs,
        46_000,
        90,
        null,
        null);
  }

  private static String page(CaseResult... results) {
    return new ClientsPage(new CaseResults(List.of(results)), List.of(), List.of()).text();
  }

  @Test
  @DisplayName("clients stand side by side, and what was not tested says so")
  void sideBySide() {
    String page =
        page(
            result("two 2.0", FaultCase.CONNECTIONS_REFUSED, 1, 4_100),
            result("one 1.0", FaultCase.BLACK_HOLE, 1, 501_000),
            result("two 2.0", FaultCase.BLACK_HOLE, 1, 623_000));
    assertThat(page)
        .contains("| |one 1.0|two 2.0|")
        .containsSubsequence(
            "| nothing passes | 501 ms (500 ms) | 623 ms (500 ms) |",
            "| connections refused | not tested | 4.1 ms (500 ms) |")
        .contains("| nothing passes | 40 of 9,000; 10 | 40 of 9,000; 10 |");
  }

  @Test
  @DisplayName("the advice follows from the figures")
  void advice() {
    assertThat(page(result("one 1.0", FaultCase.BLACK_HOLE, 1, 501_000)))
        .contains(
            "**Take the client that your application has already.** If it has none, take one 1.0.");
    assertThat(page(result("one 1.0", FaultCase.BLACK_HOLE, 3, 1_501_000)))
        .contains("None was tested in every case without charging a call twice")
        .contains("| nothing passes | 3 |")
        .contains("| nothing passes | 1,501 ms (500 ms) |")
        .doesNotContain("take one 1.0");
  }

  @Test
  @DisplayName("asynchronous calls have a table and an advice of their own")
  void asynchronous() {
    String page =
        page(
            result("one 1.0", FaultCase.BLACK_HOLE, 1, 501_000),
            result("two 2.0", FaultCase.BLACK_HOLE, 1, 501_000),
            result("one 1.0", FaultCase.BLACK_HOLE, true, 1, 502_000));
    assertThat(page)
        .contains("take one 1.0 or two 2.0, which recovered about equally fast;")
        .contains("for asynchronous calls, one 1.0.")
        .contains("## Asynchronous calls")
        .contains("| nothing passes | 1; 502 ms (500 ms); 40; 46 ms |");
  }

  @Test
  @DisplayName("what calls are like while a circuit is open has a table of its own")
  void leftAlone() {
    CircuitResult one =
        new CircuitResult(
            "one 1.0",
            "redis 7.0.15",
            64,
            500_000,
            1_000_000,
            2_500_000,
            9_000,
            3_400,
            501_000,
            3,
            470_000,
            900_000);
    CaseResults cases = new CaseResults(List.of(result("one 1.0", FaultCase.BLACK_HOLE, 1, 9)));
    assertThat(new ClientsPage(cases, List.of(one), List.of()).text())
        .contains("900 ms late")
        .contains("|  | one 1.0 |")
        .contains("| a call, median | 3 µs |")
        .contains("| a call, slowest (deadline) | 501 ms (500 ms) |")
        .contains("| calls sent while it is open | 1.2 |")
        .contains("| back after | 470 ms |");
  }

  @Test
  @DisplayName("what a limit that opens in outages lets through has a table of its own")
  void opened() {
    CaseResults cases = new CaseResults(List.of(result("one 1.0", FaultCase.BLACK_HOLE, 1, 9)));
    List<ChoiceResult> choices =
        List.of(
            new ChoiceResult("two 2.0", "Nothing listens", 8, 7, 1, 0),
            new ChoiceResult("one 1.0", "Nothing listens", 8, 8, 0, 0),
            new ChoiceResult("one 1.0", "Wrong password", 1_000, 0, 0, 1_000));
    assertThat(new ClientsPage(cases, List.of(), choices).text())
        .contains("| |one 1.0|two 2.0|")
        .contains("| Nothing listens | 8, 0, 0 of 8 | 7, 1, 0 of 8 |")
        .contains("| Wrong password | 0, 0, 1,000 of 1,000 | not tested |");
  }

  @Test
  @DisplayName("results are found in the modules of a project, and their absence is an error")
  void files(@TempDir Path project) throws Exception {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClientsPage.of(project))
        .withMessageContaining("CompatibilityTest");
    Path results = Files.createDirectories(project.resolve("client-a/target/penstock-clients"));
    Files.writeString(
        results.resolve("a.json"),
        "{\"client\":\"a 1\",\"server\":\"redis 7\",\"fault\":\"PRIMARY_KILLED\",\"threads\":16,"
            + "\"deadline_us\":1000000,\"calls\":10,\"errors\":1,\"unknown\":1,\"slowest_us\":7,"
            + "\"recovery_us\":8,\"stall_us\":9,\"over_admitted\":12,\"log_lines\":3}\n");
    assertThat(ClientsPage.of(project).text())
        .contains("| primary killed | 12 |", "| primary killed | 3 |");
  }
}
