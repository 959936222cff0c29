package io.github.penstock.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
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
import org.jspecify.annotations.Nullable;

/**
 * The difference between two runs of {@code compare}: the subjects that are denied now but were not
 * before.
 */
final class CompareDifference {
  private static final int SHOWN = 10;
  private final String file;
  private final JsonArray limits;

  private CompareDifference(Path path) {
    file = path.toString();
    try {
      JsonObject all = JsonParser.parseString(Files.readString(path)).getAsJsonObject();
      JsonObject measured = all.getAsJsonArray("measured").get(0).getAsJsonObject();
      limits = measured.getAsJsonObject("played").getAsJsonArray("limits");
      limits.forEach(each -> denied(each.getAsJsonObject()));
    } catch (IOException failure) {
      throw new UserErrorException("--diff " + path + " cannot be read.", failure);
    } catch (JsonParseException
        | IllegalStateException
        | NullPointerException
        | ClassCastException
        | IndexOutOfBoundsException wrong) {
      throw new UserErrorException(
          "--diff " + path + " is not the compare.json of a log from this version: play it again.",
          wrong);
    }
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
      JsonObject now = limits.get(i).getAsJsonObject();
      JsonObject then = before.like(name(now), i);
      if (then == null) {
        lines.add(name(now) + " is in " + file + " only.");
        continue;
      }
      lines.add(
          "%s: %s of the requests denied, before %s%s."
              .formatted(
                  name(now),
                  percent(now),
                  percent(then),
                  name(now).equals(name(then)) ? "" : " by " + name(then)));
      lines.add("Denied now, and not before: " + names(now, then));
      lines.add("Denied before, and not now: " + names(then, now));
    }
    return lines;
  }

  /* The limit of that name; where that is in none, the one in its place. */
  private @Nullable JsonObject like(String name, int place) {
    for (JsonElement each : limits) {
      if (name(each.getAsJsonObject()).equals(name)) {
        return each.getAsJsonObject();
      }
    }
    return place < limits.size() ? limits.get(place).getAsJsonObject() : null;
  }

  private String span() {
    JsonObject any = limits.get(0).getAsJsonObject();
    return time(any.get("first_us").getAsLong()) + " to " + time(any.get("last_us").getAsLong());
  }

  private static String time(long us) {
    return Instant.ofEpochSecond(us / 1_000_000).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String name(JsonObject limit) {
    return limit.get("limit").getAsString();
  }

  private static String percent(JsonObject limit) {
    return NumberText.percent(limit.get("denied").getAsLong(), limit.get("asked").getAsLong());
  }

  private static Set<String> denied(JsonObject limit) {
    Set<String> names = new LinkedHashSet<>();
    limit
        .getAsJsonObject("subjects")
        .getAsJsonArray("denied")
        .forEach(each -> names.add(each.getAsString()));
    return names;
  }

  private static String names(JsonObject of, JsonObject without) {
    Set<String> names = denied(of);
    names.removeAll(denied(without));
    long unlisted = more(of) + more(without);
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

  private static long more(JsonObject limit) {
    return limit.getAsJsonObject("subjects").get("denied_not_listed").getAsLong();
  }
}
