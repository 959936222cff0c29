package io.github.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The help of every command on terminals of several widths. */
class WrappedHelpTest {
  private static final int WIDE = 5_000;

  private static List<CommandLine> commands(CommandLine line) {
    List<CommandLine> all = new ArrayList<>(List.of(line));
    line.getSubcommands().values().forEach(each -> all.addAll(commands(each)));
    return all;
  }

  private static List<String> helps(int width) {
    CommandLine line = OptionConversion.added(new CommandLine(new PenstockCommand()));
    WrappedHelp.wrap(line, width);
    return commands(line).stream().map(each -> each.getUsageMessage().strip()).toList();
  }

  private static List<String> words(String help) {
    return List.of(help.split("\\s+"));
  }

  @ParameterizedTest
  @DisplayName("lines end between words: no value is cut")
  @ValueSource(ints = {55, 72, 80, 100, 140})
  void words(int width) {
    List<String> wide = helps(WIDE);
    List<String> narrow = helps(width);
    assertThat(narrow).hasSameSizeAs(wide).hasSizeGreaterThan(10);
    for (int i = 0; i < wide.size(); i++) {
      Set<String> known = Set.copyOf(words(wide.get(i)));
      assertThat(words(narrow.get(i)))
          .as(narrow.get(i))
          .allMatch(word -> known.contains(word), "a word of the help");
      assertThat(narrow.get(i).lines().map(String::strip).filter(line -> line.length() > width))
          .as("lines of several words that are longer than the terminal")
          .noneMatch(line -> line.contains(" "));
    }
  }
}
