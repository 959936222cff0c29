package io.github.penstock.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_SYNOPSIS;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IHelpSectionRenderer;

/**
 * Help whose lines end between words: picocli would also end them within a value, such as {@code
 * field:NAME}. Picocli writes each line in full length, and long ones are wrapped here.
 */
final class WrappedHelp {
  private static final int LONGEST_LINE = 5_000;
  private static final Pattern COLUMN = Pattern.compile(" *(?:\\S+ )*\\S+ {2,}(?=\\S)");
  private static final Pattern INDENT = Pattern.compile(" *");

  private WrappedHelp() {}

  /** Wraps the help of a command, and of those below it. */
  static void wrap(CommandLine line, int width) {
    line.setUsageHelpAutoWidth(false).setUsageHelpWidth(LONGEST_LINE);
    Map<String, IHelpSectionRenderer> sections = new LinkedHashMap<>(line.getHelpSectionMap());
    sections.replaceAll(
        (key, section) ->
            key.equals(SECTION_KEY_SYNOPSIS)
                ? help -> synopsis(section.render(help), help, width)
                : help -> wrapped(section.render(help), width));
    line.setHelpSectionMap(sections);
  }

  private static String synopsis(String text, CommandLine.Help help, int width) {
    int heading = help.synopsisHeadingLength();
    int name = help.commandSpec().qualifiedName().length() + 1;
    return wrapped(text.strip(), width, heading, heading + name) + System.lineSeparator();
  }

  /* A heading may be the beginning of a line. */
  private static String wrapped(String section, int width) {
    return section.endsWith("\n")
        ? section
            .lines()
            .map(each -> wrapped(each, width, 0, indent(each)) + System.lineSeparator())
            .collect(Collectors.joining())
        : section;
  }

  /* Two more than the column of a description; none below a paragraph. */
  private static int indent(String text) {
    Matcher column = COLUMN.matcher(text);
    Matcher indent = INDENT.matcher(text);
    int start = column.lookingAt() ? column.end() : indent.lookingAt() ? indent.end() : 0;
    return start == 0 ? 0 : start + 2;
  }

  /* The line begins after this number of others. */
  private static String wrapped(String text, int width, int behind, int indent) {
    StringBuilder lines = new StringBuilder();
    String rest = text;
    int room = width - behind;
    int least = indent(text);
    while (rest.length() > room) {
      int end = rest.lastIndexOf(' ', room);
      if (end < least) {
        end = rest.indexOf(' ', Math.max(room, least));
      }
      if (end < 0) {
        break;
      }
      lines.append(rest.substring(0, end).stripTrailing()).append(System.lineSeparator());
      rest = " ".repeat(indent) + rest.substring(end).strip();
      room = width;
      least = indent + 1;
    }
    return lines + rest;
  }
}
