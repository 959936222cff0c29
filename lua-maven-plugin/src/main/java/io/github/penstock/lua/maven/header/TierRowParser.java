package io.github.penstock.lua.maven.header;

import io.github.penstock.lua.maven.header.TierContract.TierNumber;
import io.github.penstock.lua.maven.rule.ViolationReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the rows of {@link TierContract}, of which there are all or none. */
final class TierRowParser {
  static final Set<String> LABELS =
      Set.of("Bounds", "Marker", "State", "Refill", "Queues", "Holds");
  static final List<String> REFILLS = List.of("evenly", "in_batches", "at_end", "fading");
  private static final List<String> ANSWERS = List.of("no", "yes");
  private static final Pattern BOUNDS =
      Pattern.compile("([a-z][a-z0-9_]*) (\\d{1,18})\\.\\.(\\d{1,18})");
  private static final Pattern MARKER = Pattern.compile("[a-z]( [a-z][a-z0-9_]*)*");
  private static final Pattern FORM = Pattern.compile("[a-z]+([^a-z ][a-z]+)*");
  private static final Pattern UNUSED = Pattern.compile("unused ([^a-z ]+)");

  private final ViolationReport report;
  private final Map<String, HeaderRow> rows = new LinkedHashMap<>();

  TierRowParser(ViolationReport report) {
    this.report = report;
  }

  void add(HeaderRow row) {
    if (rows.put(row.label(), row) != null) {
      problem(row, "a second row " + row.label());
    }
  }

  /** The content of the rows; empty if they are missing, or if one of them is wrong. */
  Optional<TierContract> read(List<HeaderSlot> arguments) {
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    HeaderRow any = rows.values().iterator().next();
    Optional<HeaderSlot> group =
        arguments.stream().filter(a -> a.form() == HeaderSlot.SlotForm.REPEATED).findFirst();
    if (rows.size() < LABELS.size() || group.isEmpty()) {
      problem(
          any,
          "Bounds, Marker, State, Refill, Queues and Holds stand together, and describe a repeated group");
      return Optional.empty();
    }
    List<TierNumber> numbers = numbers(row("Bounds"), group.get());
    List<String> marker = marker(row("Marker"), group.get().names());
    HeaderRow state = row("State");
    Matcher unused = UNUSED.matcher(state.last());
    List<String> forms = List.of(state.columns().get(1).split(" "));
    if (state.columns().size() != 3
        || !unused.matches()
        || !forms.stream().allMatch(form -> FORM.matcher(form).matches())) {
      problem(state, "State has the forms of a group's state, and the unused one: a:b  unused 0:0");
      return Optional.empty();
    }
    String refill = choice("Refill", REFILLS);
    String queues = choice("Queues", ANSWERS);
    String holds = choice("Holds", ANSWERS);
    boolean isChosen = !refill.isEmpty() && !queues.isEmpty() && !holds.isEmpty();
    if (numbers.isEmpty() || marker.isEmpty() || !isChosen) {
      return Optional.empty();
    }
    return Optional.of(
        new TierContract(
            numbers,
            marker.get(0),
            marker.subList(1, marker.size()),
            forms,
            unused.group(1),
            refill,
            queues.equals("yes"),
            holds.equals("yes"),
            row("Bounds").line()));
  }

  private HeaderRow row(String label) {
    return rows.getOrDefault(label, new HeaderRow(List.of(label), 1, 1));
  }

  private List<TierNumber> numbers(HeaderRow row, HeaderSlot group) {
    List<TierNumber> numbers = new ArrayList<>();
    for (String text : row.last().split(", ")) {
      Matcher bounds = BOUNDS.matcher(text);
      if (bounds.matches()) {
        String name = bounds.group(1);
        long least = Long.parseLong(bounds.group(2));
        numbers.add(new TierNumber(name, group.unit(name), least, Long.parseLong(bounds.group(3))));
      }
    }
    if (numbers.stream().map(TierNumber::name).toList().equals(group.names())) {
      return numbers;
    }
    problem(row, "Bounds has each number of " + group.label() + " in order: a 1..9, b 1..9");
    return List.of();
  }

  private List<String> marker(HeaderRow row, List<String> names) {
    List<String> marker = List.of(row.last().split(" "));
    List<String> marked = marker.subList(1, marker.size());
    List<String> inOrder = names.stream().filter(marked::contains).toList();
    if (MARKER.matcher(row.last()).matches() && inOrder.equals(marked)) {
      return marker;
    }
    problem(row, "Marker has a letter and numbers of the repeated group, in order: b " + names);
    return List.of();
  }

  /** The row's content if it is one of these; empty, and reported, if not. */
  private String choice(String label, List<String> choices) {
    HeaderRow row = row(label);
    if (choices.contains(row.last())) {
      return row.last();
    }
    problem(row, label + " is one of " + String.join(", ", choices));
    return "";
  }

  private void problem(HeaderRow row, String message) {
    report.add(row.line(), ScriptHeaderParser.RULE, message);
  }
}
