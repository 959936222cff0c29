package io.github.penstock.compat.vectors;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fewest sequences, taken in order, in which every form of a reply, an error and the arguments
 * occurs. A client only passes numbers on: their values are tested once, over plain sockets.
 */
public final class VectorSample {
  private VectorSample() {}

  /**
   * The sample; a call through an adapter has one key, so sequences with other calls are left out.
   */
  public static List<VectorSequence> of(List<VectorSequence> sequences) {
    Set<String> seen = new HashSet<>();
    List<VectorSequence> sample = new ArrayList<>();
    for (VectorSequence sequence : sequences) {
      if (sequence.steps().stream().allMatch(step -> step.keys().size() == 1)
          && seen.addAll(forms(sequence))) {
        sample.add(sequence);
      }
    }
    return sample;
  }

  private static Set<String> forms(VectorSequence sequence) {
    return sequence.steps().stream()
        .flatMap(step -> Stream.of(arguments(step.arguments()), answer(step.expected())))
        .collect(Collectors.toSet());
  }

  private static String arguments(List<String> arguments) {
    String cost = arguments.isEmpty() ? "none" : arguments.get(0).replaceAll("\\d+", "1");
    return "%d arguments, cost %s".formatted(arguments.size(), cost);
  }

  private static String answer(VectorOutcome outcome) {
    return outcome.error() == null
        ? "reply " + form(outcome.reply()) + (outcome.written() ? ", written" : "")
        : "error " + outcome.error();
  }

  private static String form(@Nullable Object reply) {
    return reply instanceof List<?> several
        ? several.stream().map(VectorSample::form).collect(Collectors.joining(" "))
        : reply instanceof Number number ? Long.toString(Long.signum(number.longValue())) : "text";
  }
}
