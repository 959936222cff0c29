package io.github.penstock.report.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.github.penstock.report.console.TerminalWidth;
import io.github.penstock.report.table.FigureKind.PartOf;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class ResultTableTest {
  private record CallTime(String name, long denied, double micros, @Nullable String problem) {}

  private static final CallTime FAST = new CallTime("fast", 25, 1_234.567, null);
  private static final CallTime NONE = new CallTime("none", 0, -1, "it broke");

  private static ResultTable<CallTime> table(CallTime... rows) {
    return new ResultTable<>("Calls", List.of(rows))
        .words("the name", CallTime::name)
        .brief("name")
        .field("what")
        .figureUnless(
            CallTime::problem,
            "microseconds that a call takes",
            FigureKind.HUNDREDTHS,
            CallTime::micros)
        .brief("µs|a call")
        .field("micros")
        .figure("denied", FigureKind.PERCENT, row -> new PartOf(row.denied, 100))
        .field("denied")
        .figure("time", FigureKind.TIME, row -> row.denied * 1_000)
        .onPage()
        .field("problem", CallTime::problem);
  }

  @Test
  @DisplayName("A terminal has short headings, which stand on the table, and the figures")
  void terminal() {
    assertThat(table(FAST, NONE).lines())
        .containsExactly(
            "              µs",
            "  name    a call  denied",
            "  fast  1,234.57    25 %",
            "  none  it broke");
  }

  @Test
  @DisplayName("A page has the whole headings, and a problem in place of a row's figures")
  void page() {
    ResultTable<CallTime> table = table(FAST, NONE);
    assertThat(table.header())
        .extracting(TableCell::text, TableCell::figure)
        .containsExactly(
            tuple("the name", false),
            tuple("microseconds that a call takes", true),
            tuple("denied", true),
            tuple("time", true));
    assertThat(table.body())
        .extracting(row -> row.stream().map(TableCell::text).toList())
        .containsExactly(
            List.of("fast", "1,234.57", "25 %", "25 ms"), List.of("none", "it broke", "", ""));
    assertThat(table.body().get(0)).extracting(TableCell::name).startsWith(true, false);
  }

  @Test
  @DisplayName("A page can go without columns that are empty in all rows")
  void emptyColumns() {
    ResultTable<CallTime> table =
        table(FAST).figure("for some", FigureKind.COUNT, row -> row == FAST ? null : 1);
    assertThat(table.header()).hasSize(5);
    assertThat(table.withoutEmptyColumns().header()).hasSize(4);
    assertThat(table.body().get(0)).hasSize(4);
  }

  @Test
  @DisplayName("JSON has each figure as it is, also beside a problem, and of a part how many")
  void json() {
    assertThat(table(FAST, NONE).json())
        .containsExactly(json("fast", 1_234.567, 25, null), json("none", -1, 0, "it broke"));
  }

  private static Map<String, @Nullable Object> json(
      String what, double micros, long denied, @Nullable String problem) {
    Map<String, @Nullable Object> all = new HashMap<>();
    all.put("what", what);
    all.put("micros", micros);
    all.put("denied", denied);
    all.put("problem", problem);
    return all;
  }

  @Test
  @DisplayName("Where a name is long, the names stand above the table with a number each")
  void numbers() {
    CallTime wide = new CallTime("of-more-than-20-letters", 1, 2, null);
    assertThat(table(FAST, wide, new CallTime("", 3, 4, null)).linesByNumber(true))
        .containsExactly(
            "  1  fast",
            "  2  of-more-than-20-letters",
            "",
            "              µs",
            "  name    a call  denied",
            "  1     1,234.57    25 %",
            "  2         2.00   1.0 %",
            "            4.00   3.0 %");
    assertThat(table(FAST, wide).linesByNumber(false))
        .containsExactly(
            "              µs",
            "  name    a call  denied",
            "  1     1,234.57    25 %",
            "  2         2.00   1.0 %");
    assertThat(table(FAST, NONE).linesByNumber(true)).isEqualTo(table(FAST, NONE).lines());
  }

  @Test
  @DisplayName("A narrow terminal goes without columns, one after the other, as long as it must")
  void narrow() {
    assertThat(lines(100)).containsExactly("  limit  " + "most".repeat(10) + "  denied  wait");
    assertThat(lines(63)).containsExactly("  limit  " + "most".repeat(10) + "  denied  wait");
    assertThat(lines(62)).containsExactly("  limit  " + "most".repeat(10) + "  wait");
    assertThat(lines(54)).containsExactly("  limit  " + "most".repeat(10));
  }

  private static List<String> lines(int columns) {
    System.setProperty(TerminalWidth.PROPERTY, Integer.toString(columns));
    return new ResultTable<String>("Calls", List.of("limit"))
        .words("", name -> name)
        .figure("", FigureKind.WRITTEN, name -> "most".repeat(10))
        .figure("", FigureKind.WRITTEN, name -> "denied")
        .spared(1)
        .figure("", FigureKind.WRITTEN, name -> "wait")
        .spared(2)
        .lines();
  }

  @AfterEach
  void anyWidth() {
    System.clearProperty(TerminalWidth.PROPERTY);
  }
}
