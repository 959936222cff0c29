package io.github.penstock.report.table;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A result: rows, and columns that define their values, their readers and their format. A figure
 * that is null leaves its cell empty; one that is a text gives the reason for a missing figure. Not
 * safe for use by several threads.
 *
 * <pre>{@code
 * new ResultTable<>("Scripts", costs)
 *     .words("script", ScriptCost::name).field("what")
 *     .figure("µs", FigureKind.HUNDREDTHS, ScriptCost::micros).field("micros")
 *     .lines()
 * }</pre>
 */
public final class ResultTable<R> {
  private static final int LONGEST_NAME = 20;
  private final String title;
  private final List<R> rows;
  private final List<TableColumn<R>> columns = new ArrayList<>();
  private Function<R, @Nullable String> instead = row -> null;
  private String note = "";
  private boolean withoutEmpty;

  public ResultTable(String title, Collection<? extends R> rows) {
    this.title = title;
    this.rows = List.copyOf(rows);
  }

  public ResultTable<R> words(String name, Function<R, ? extends @Nullable Object> words) {
    return figure(name, FigureKind.WORDS, words);
  }

  public ResultTable<R> figure(
      String name, FigureKind kind, Function<R, ? extends @Nullable Object> figure) {
    columns.add(new TableColumn<>(name, name, null, kind, 0, instead, figure));
    return this;
  }

  /** Adds a field that only JSON has. */
  public ResultTable<R> field(String name, Function<R, ? extends @Nullable Object> figure) {
    columns.add(new TableColumn<>(null, null, name, FigureKind.WRITTEN, 0, instead, figure));
    return this;
  }

  /**
   * Adds a column of figures that rows with a problem do not have: people see the problem in it,
   * and nothing in the columns behind it. JSON has the figures as they are.
   */
  public ResultTable<R> figureUnless(
      Function<R, @Nullable String> problem,
      String name,
      FigureKind kind,
      Function<R, ? extends @Nullable Object> figure) {
    figure(name, kind, figure).unless(problem);
    instead = row -> problem.apply(row) == null ? null : "";
    return this;
  }

  /** People see these words in place of a figure of the last column; null where they see it. */
  public ResultTable<R> unless(Function<R, @Nullable String> words) {
    return last(column -> column.unless(words));
  }

  /** The last column is this field in JSON, too. */
  public ResultTable<R> field(String name) {
    return last(column -> column.field(name));
  }

  /** The last column has another heading on a terminal; a bar begins its next line. */
  public ResultTable<R> brief(String heading) {
    return last(column -> column.brief(heading));
  }

  /** The last column is on a page only. */
  public ResultTable<R> onPage() {
    return last(column -> column.brief(null));
  }

  /** A terminal that is too narrow goes without the last column, the least of all first. */
  public ResultTable<R> spared(int order) {
    return last(column -> column.spared(order));
  }

  private ResultTable<R> last(UnaryOperator<TableColumn<R>> change) {
    int last = columns.size() - 1;
    columns.set(last, change.apply(columns.get(last)));
    return this;
  }

  /** Says how to read it. */
  public ResultTable<R> note(String text) {
    note = text;
    return this;
  }

  public String title() {
    return title;
  }

  public String note() {
    return note;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** A page goes without columns that no row has a cell for. */
  public ResultTable<R> withoutEmptyColumns() {
    withoutEmpty = true;
    return this;
  }

  private List<TableColumn<R>> pageColumns() {
    return columns(
        column ->
            column.name() != null
                && !(withoutEmpty && rows.stream().allMatch(row -> column.cell(row).isEmpty())));
  }

  public List<TableCell> header() {
    return pageColumns().stream()
        .map(column -> new TableCell(String.valueOf(column.name()), column.isFigure(), false))
        .toList();
  }

  /** Its rows on a page, a cell for each heading; the first names the row, unless it is empty. */
  public List<List<TableCell>> body() {
    List<TableColumn<R>> shown = pageColumns();
    List<List<TableCell>> body = new ArrayList<>();
    for (List<String> row : cells(shown)) {
      List<TableCell> one = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        boolean name = i == 0 && !row.get(0).isEmpty();
        one.add(new TableCell(row.get(i), shown.get(i).isFigure(), name));
      }
      body.add(one);
    }
    return body;
  }

  /** One object for each row. */
  public List<Map<String, @Nullable Object>> json() {
    List<TableColumn<R>> fields = columns(column -> column.field() != null);
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    for (R row : rows) {
      Map<String, @Nullable Object> one = new LinkedHashMap<>();
      fields.forEach(
          each -> one.put(String.valueOf(each.field()), FigureKind.json(each.figure().apply(row))));
      all.add(one);
    }
    return all;
  }

  /** Its lines on a terminal: the headings, then the rows. */
  public List<String> lines() {
    List<TableColumn<R>> shown = columns(column -> column.brief() != null);
    return lines(shown, cells(shown));
  }

  /**
   * The variant for long names in the first column: the names are listed above the table with a
   * number each, and the table contains the numbers.
   *
   * @param named whether the names are to be said, too
   */
  public List<String> linesByNumber(boolean named) {
    List<TableColumn<R>> shown = columns(column -> column.brief() != null);
    List<List<String>> cells = cells(shown);
    if (cells.stream().noneMatch(row -> row.get(0).length() > LONGEST_NAME)) {
      return lines(shown, cells);
    }
    List<String> names = new ArrayList<>();
    for (List<String> row : cells) {
      if (!row.get(0).isEmpty()) {
        names.add("  " + (names.size() + 1) + "  " + row.get(0));
        row.set(0, String.valueOf(names.size()));
      }
    }
    names.add("");
    return Stream.concat(named ? names.stream() : Stream.empty(), lines(shown, cells).stream())
        .toList();
  }

  private static <R> List<String> lines(List<TableColumn<R>> shown, List<List<String>> cells) {
    int named = (int) shown.stream().takeWhile(column -> !column.isFigure()).count();
    int height = shown.stream().mapToInt(column -> column.headings().size()).max().orElse(0);
    List<List<String>> rows = new ArrayList<>();
    for (int line = 0; line < height; line++) {
      int above = line - height;
      rows.add(shown.stream().map(column -> heading(column.headings(), above)).toList());
    }
    rows.addAll(cells);
    return new TextTable(named, spared(shown), rows).lines();
  }

  /* Counted from the last line, so that headings stand on the table. */
  private static String heading(List<String> lines, int above) {
    int line = lines.size() + above;
    return line < 0 ? "" : lines.get(line);
  }

  private static <R> List<Integer> spared(List<TableColumn<R>> shown) {
    return IntStream.range(0, shown.size())
        .filter(i -> shown.get(i).spared() > 0)
        .boxed()
        .sorted(Comparator.comparing(i -> shown.get(i).spared()))
        .toList();
  }

  private List<List<String>> cells(List<TableColumn<R>> of) {
    List<List<String>> cells = new ArrayList<>();
    for (R row : rows) {
      List<String> one = new ArrayList<>();
      of.forEach(column -> one.add(column.cell(row)));
      cells.add(one);
    }
    return cells;
  }

  private List<TableColumn<R>> columns(Predicate<TableColumn<R>> wanted) {
    return columns.stream().filter(wanted).toList();
  }
}
