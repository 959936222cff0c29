package io.github.penstock.report.table;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table whose rows are {@code R}.
 *
 * @param name its heading on a page; null if a page has it not
 * @param brief its heading on a terminal, lines separated by a bar; null if a terminal has it not
 * @param field its field in JSON; null if JSON has it not
 * @param spared when a terminal that is too narrow goes without it, the least first; 0 if never
 * @param instead the words that people see in place of a row's figure; null where they see it
 */
record TableColumn<R>(
    @Nullable String name,
    @Nullable String brief,
    @Nullable String field,
    FigureKind kind,
    int spared,
    Function<R, @Nullable String> instead,
    Function<R, ? extends @Nullable Object> figure) {

  TableColumn<R> brief(@Nullable String heading) {
    return new TableColumn<>(name, heading, field, kind, spared, instead, figure);
  }

  TableColumn<R> field(String inJson) {
    return new TableColumn<>(name, brief, inJson, kind, spared, instead, figure);
  }

  TableColumn<R> spared(int order) {
    return new TableColumn<>(name, brief, field, kind, order, instead, figure);
  }

  TableColumn<R> unless(Function<R, @Nullable String> words) {
    return new TableColumn<>(name, brief, field, kind, spared, words, figure);
  }

  boolean isFigure() {
    return kind != FigureKind.WORDS;
  }

  String cell(R row) {
    String words = instead.apply(row);
    return words == null ? kind.text(figure.apply(row)) : words;
  }

  List<String> headings() {
    return brief == null || brief.isEmpty() ? List.of() : Arrays.asList(brief.split("\\|"));
  }
}
