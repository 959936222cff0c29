package io.github.penstock.cli;

import static io.github.penstock.report.console.UserErrorException.require;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.report.text.SafeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The difference between two runs of {@code compare}: the subjects that are denied now but were not
 * before.
 */
final class CompareDifference {
  private static final int SHOWN = 10;
  private static final Gson GSON =
      new GsonBuilder()
          .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
          .create();
  private final String file;
  private final List<PlayedLimit> limits;

  private record CompareFile(@Nullable List<MeasuredLog> measured) {}

  private record MeasuredLog(@Nullable PlayedLog played) {}

  private record PlayedLog(@Nullable List<PlayedLimit> limits) {}

  private record PlayedLimit(
      String limit, long asked, long denied, long firstUs, long lastUs, DeniedNames subjects) {
    String percent() {
      return NumberText.percent(denied, asked);
    }

    /* A missing field is null. */
    boolean isWhole() {
      return limit != null && subjects != null && subjects.denied != null;
    }
  }

  private record DeniedNames(Set<String> denied, long deniedNotListed) {}

  private CompareDifference(Path path) {
    file = path.toString();
    try {
      limits =
          Stream.ofNullable(GSON.fromJson(Files.readString(path), CompareFile.class))
              .flatMap(all -> Stream.ofNullable(all.measured))
              .flatMap(List::stream)
              .flatMap(log -> Stream.ofNullable(log.played))
              .flatMap(played -> Stream.ofNullable(played.limits))
              .flatMap(List::stream)
              .toList();
      require(!limits.isEmpty() && limits.stream().allMatch(PlayedLimit::isWhole), foreign());
    } catch (IOException failure) {
      throw new UserErrorException("--diff " + path + " cannot be read.", failure);
    } catch (JsonParseException wrong) {
      throw new UserErrorException(foreign(), wrong);
    }
  }

  private String foreign() {
    return "--diff " + file + " is not the compare.json of a log from this version: play it again.";
  }

  /** The difference in sentences. */
  static List<String> of(Path before, Path after) {
    return new CompareDifference(after).since(new CompareDifference(before));
  }

  private List<String> since(CompareDifference before) {
    List<String> lines = new ArrayList<>();
    if (!before.span().equals(span())) {
      lines.add(
          "Other times: %s has %s, %s has %s.".formatted(before.file, before.span(), file, span()));
    }
    for (int i = 0; i < limits.size(); i++) {
      PlayedLimit now = limits.get(i);
      PlayedLimit then = before.like(now.limit, i);
      if (then == null) {
        lines.add(now.limit + " is in " + file + " only.");
        continue;
      }
      lines.add(
          "%s: %s of the requests denied, before %s%s."
              .formatted(
                  now.limit,
                  now.percent(),
                  then.percent(),
                  now.limit.equals(then.limit) ? "" : " by " + then.limit));
      lines.add("Denied now, and not before: " + names(now, then));
      lines.add("Denied before, and not now: " + names(then, now));
    }
    return lines;
  }

  /* The limit of that name; where that is in none, the one in its place. */
  private @Nullable PlayedLimit like(String name, int place) {
    return limits.stream()
        .filter(each -> each.limit.equals(name))
        .findFirst()
        .orElse(place < limits.size() ? limits.get(place) : null);
  }

  private String span() {
    return time(limits.get(0).firstUs) + " to " + time(limits.get(0).lastUs);
  }

  private static String time(long us) {
    return Instant.ofEpochSecond(us / 1_000_000).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String names(PlayedLimit of, PlayedLimit without) {
    Set<String> names = new LinkedHashSet<>(of.subjects.denied);
    names.removeAll(without.subjects.denied);
    long unlisted = of.subjects.deniedNotListed + without.subjects.deniedNotListed;
    return (names.isEmpty()
            ? "none"
            : NumberText.count(names.size(), "subject")
                + ": "
                + names.stream()
                    .limit(SHOWN)
                    .map(SafeText::terminal)
                    .collect(Collectors.joining(", "))
                + (names.size() > SHOWN ? ", ..." : ""))
        + (unlisted == 0
            ? "."
            : "; the files do not list %s."
                .formatted(NumberText.count(unlisted, "subject") + " that were denied less"));
  }
}
