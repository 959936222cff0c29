package io.github.penstock.core.internal.protocol;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.scripts.LuaScript;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A limit in the protocol's form: script, key marker and arguments. Immutable.
 *
 * @param script the script that decides about the limit
 * @param marker the end of the key: the state's family and the numbers that give the state its
 *     meaning, such as {@code b100.10.1000000}. Limits with the same marker share their state
 * @param arguments the script's arguments for all tiers, in order, times in microseconds
 */
public record LimitEncoding(LuaScript script, String marker, List<String> arguments) {
  public LimitEncoding {
    arguments = List.copyOf(arguments);
  }

  public static LimitEncoding of(Limit limit) {
    LimitKind kind = limit.kind();
    List<List<Long>> tiers = limit.tiers().stream().map(kind::numbers).toList();
    String marker =
        tiers.stream()
            .map(numbers -> marked(kind.script(), numbers))
            .collect(Collectors.joining("-", kind.script().marker().letter(), ""));
    List<String> arguments = tiers.stream().flatMap(List::stream).map(String::valueOf).toList();
    return new LimitEncoding(kind.script(), marker, arguments);
  }

  private static String marked(LuaScript script, List<Long> numbers) {
    return IntStream.range(0, numbers.size())
        .filter(at -> script.marker().numbers().contains(script.tier().get(at).name()))
        .mapToObj(at -> String.valueOf(numbers.get(at)))
        .collect(Collectors.joining("."));
  }
}
