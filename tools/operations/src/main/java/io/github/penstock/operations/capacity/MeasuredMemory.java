package io.github.penstock.operations.capacity;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.io.IOUtils;
import org.apache.commons.io.function.Uncheck;

/**
 * Bytes of a subject on one server, its share of the server's tables included: the table of
 * docs/scale.md, which was measured with a million keys.
 *
 * @param server the column's heading
 * @param byName bytes by the length of the name, with a state of {@value #PLAIN_STATE} bytes
 * @param byState bytes that a longer state adds, by its length
 * @param held bytes of a held reservation: all under one key, and each under a separate key
 */
public record MeasuredMemory(
    String server,
    NavigableMap<Integer, Double> byName,
    NavigableMap<Integer, Double> byState,
    List<Double> held) {
  private static final String PAGE = "/io/github/penstock/operations/capacity/scale.md";
  private static final String HEAD = "| bytes of the name |";
  private static final String HEAD_OF_HELD = "| a reservation that is held |";
  private static final int PLAIN_STATE = 16;
  private static final List<MeasuredMemory> ALL = read();

  public static List<MeasuredMemory> all() {
    return ALL;
  }

  /**
   * The column of a server's version, or the nearest.
   *
   * @param version such as {@code Redis 7.0.15}, to be followed by anything
   */
  public static MeasuredMemory of(String version) {
    String[] numbers = version.replaceAll("^\\D*([0-9.]*).*$", "$1").split("\\.");
    int major = Integer.parseInt(numbers[0]);
    int minor = numbers.length > 1 ? Integer.parseInt(numbers[1]) : 0;
    int column = major < 8 || major == 8 && minor < 2 ? 0 : 1;
    return ALL.get(version.contains("Valkey") ? major < 9 ? 2 : 3 : column);
  }

  /** The bytes of a key; a length between two rows takes the next longer row. */
  double bytes(int name, int state) {
    return at(byName, name) + at(byState, state);
  }

  private static double at(NavigableMap<Integer, Double> rows, int length) {
    Map.Entry<Integer, Double> row = rows.ceilingEntry(length);
    Map.Entry<Integer, Double> last = rows.lastEntry();
    return row == null ? last.getValue() + length - last.getKey() : row.getValue();
  }

  private static List<MeasuredMemory> read() {
    List<List<String>> rows = table(HEAD);
    List<List<String>> held = table(HEAD_OF_HELD);
    List<MeasuredMemory> columns = new ArrayList<>();
    for (int column = 2; column < rows.get(0).size(); column++) {
      NavigableMap<Integer, Double> byName = new TreeMap<>();
      NavigableMap<Integer, Double> byState = new TreeMap<>();
      for (List<String> row : rows.subList(2, rows.size())) {
        int name = Integer.parseInt(row.get(0));
        int state = Integer.parseInt(row.get(1).replaceAll("\\D.*", ""));
        double bytes = Double.parseDouble(row.get(column));
        if (state == PLAIN_STATE) {
          byName.put(name, bytes);
        } else {
          byState.put(state, bytes - byName.getOrDefault(name, bytes));
        }
      }
      byState.put(PLAIN_STATE, 0.0);
      int place = held.get(0).indexOf(rows.get(0).get(column));
      List<Double> reserved =
          held.stream().skip(2).map(row -> Double.valueOf(row.get(place))).toList();
      columns.add(new MeasuredMemory(rows.get(0).get(column), byName, byState, reserved));
    }
    return List.copyOf(columns);
  }

  private static List<List<String>> table(String head) {
    return Uncheck.get(() -> IOUtils.resourceToString(PAGE, StandardCharsets.UTF_8))
        .lines()
        .dropWhile(line -> !line.startsWith(head))
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> Stream.of(line.substring(1).split("\\|")).map(String::strip).toList())
        .toList();
  }
}
