package io.github.penstock.lua.maven.header;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.lua.maven.syntax.Lexer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptHeaderParserTest {
  private static final String TIER =
      """
        job: does it.

        ARGV[1..2]  max at_us  a pair, repeated
        Bounds      max 1..9, at_us 0..70
        Marker      m at_us
        State       end end+rest  unused 0
        Refill      in_batches
        Queues      yes
        Holds       no
        Reply       done  1 or 0
      """;

  private final List<String> problems = new ArrayList<>();

  @Test
  @DisplayName("a complete header becomes data")
  void complete() {
    ScriptHeader header =
        parse(
            """
              job: does `it`
              and more.

              Algorithm   some, from
                          a book
              KEYS[1]     key      a key
              ARGV[1]     cost     units; 0 peeks
              ARGV[2..3]  max at_us  a pair, repeated
              ARGV[n]     now      optional: seconds since 1970
              Reply[1]    done     1 or 0
              Reply[2]    place    which one,
                                   from 1
              Mended      what was broken
              Needs       Redis 7.2
              Peek        ARGV[1] is -1   it only reads
            """);
    assertThat(problems).isEmpty();
    assertThat(header.description()).isEqualTo("does `it` and more.");
    assertThat(header.notes())
        .containsExactly(
            java.util.Map.entry("Algorithm", "some, from a book"),
            java.util.Map.entry("Mended", "what was broken"));
    assertThat(header.numberOfKeys()).isEqualTo(1);
    assertThat(header.arguments())
        .extracting(HeaderSlot::label)
        .containsExactly("ARGV[1]", "ARGV[2..3]", "ARGV[n]");
    assertThat(header.arguments().get(1).names()).containsExactly("max", "at_us");
    assertThat(header.arguments().get(1).unit("at_us")).isEqualTo("microseconds");
    assertThat(header.arguments().get(2).unit("now_ms")).isEqualTo("milliseconds");
    assertThat(header.arguments().get(2).unit("now")).isEqualTo("seconds");
    assertThat(header.replies().get(0).unit("done")).isEqualTo("flag");
    assertThat(header.replies().get(1).unit("place")).isEqualTo("index");
    assertThat(header.replies().get(1).line()).isEqualTo(12);
    assertThat(header.needs()).contains("7.2");
    assertThat(header.peek()).contains(new ScriptHeader.PeekArgument(1, "cost", -1));
  }

  @ParameterizedTest
  @DisplayName("a row that is wrong is named with its line")
  @CsvSource(
      delimiter = '!',
      value = {
        "KEYS[1]  Key  a key! a name has lower-case letters, digits and '_': Key",
        "KEYS[1]  key! KEYS[1] needs three columns: index, name, description",
        "KEYS[1] key a key! a row has columns that are two or more spaces apart: KEYS[1] key a key",
        "KEYS[2]  key  a key! KEYS[2] is out of order",
        "Reply[n]  done  optional: a flag! [n] is for a last key or argument, and its description begins \"optional:\"",
        "ARGV[n]  now  a time! [n] is for a last key or argument, and its description begins \"optional:\"",
        "ARGV[1..2]  a b c  three! ARGV[1..2] needs 2 names, not 3",
        "Reply[1]  two  again! Reply[1] is out of order",
        "Reply[2]  one  again! a second Reply named one",
        "Colour  red! unknown row Colour",
        "Needs  Redis 7! Needs names the oldest Redis: Needs  Redis 7.0",
        "Peek  ARGV[1]! Peek names an argument and an integer: Peek  ARGV[1] is 0",
        "Peek  ARGV[1] is 0! Peek names ARGV[1], which no row describes",
      })
  void wrong(String row, String message) {
    parse("  job: does it.\n\n  Reply[1]  one  units\n  " + row + "\n");
    assertThat(problems).containsExactly("5: " + message);
  }

  @ParameterizedTest
  @DisplayName("the sentence names the script and ends")
  @CsvSource({"job does it.", "job: does it", "other: does it."})
  void sentence(String sentence) {
    parse("  " + sentence + "\n\n  Reply[1]  one  units\n");
    assertThat(problems)
        .containsExactly("2: the header begins with one sentence: \"job: what it does.\"");
  }

  @Test
  @DisplayName("nothing follows a repeated group but an optional argument, once")
  void order() {
    parse(
        "  job: does it.\n\n  ARGV[1..2]  a z  repeated\n  ARGV[3]  b  more\n  ARGV[n]  c  optional: c\n"
            + "  ARGV[n]  d  optional: d\n  Reply  one  units\n");
    assertThat(problems)
        .containsExactly("5: ARGV[3] is out of order", "7: ARGV[n] is out of order");
  }

  @Test
  @DisplayName("an optional last argument behind a repeated group of one value is refused")
  void oneNumber() {
    parse(
        "  job: does it.\n\n  ARGV[1..1]  a  repeated\n  ARGV[n]  b  optional: b\n  Reply  c  d\n");
    assertThat(problems)
        .containsExactly("5: ARGV[n] cannot be told from a repeated group of one value");
  }

  @Test
  @DisplayName("the rows about tiers become data")
  void tier() {
    TierContract tier = parse(TIER).tier().orElseThrow();
    assertThat(problems).isEmpty();
    assertThat(tier.numbers())
        .containsExactly(
            new TierContract.TierNumber("max", "units", 1, 9),
            new TierContract.TierNumber("at_us", "microseconds", 0, 70));
    assertThat(tier.letter()).isEqualTo("m");
    assertThat(tier.marked()).containsExactly("at_us");
    assertThat(tier.forms()).containsExactly("end", "end+rest");
    assertThat(tier.unused()).isEqualTo("0");
    assertThat(tier.refill()).isEqualTo("in_batches");
    assertThat(tier.queues()).isTrue();
    assertThat(tier.holds()).isFalse();
  }

  @ParameterizedTest
  @DisplayName("a row about tiers that is wrong is named")
  @CsvSource(
      delimiter = '!',
      value = {
        "max 1..9, ! ''!5: Bounds has each number of ARGV[1..2] in order: a 1..9, b 1..9",
        "0..70! 0-70!5: Bounds has each number of ARGV[1..2] in order: a 1..9, b 1..9",
        "m at_us! M at_us!6: Marker has a letter and numbers of the repeated group, in order: b [max, at_us]",
        "m at_us! m at_us max!6: Marker has a letter and numbers of the repeated group, in order: b [max, at_us]",
        "unused 0! unused!7: State has the forms of a group's state, and the unused one: a:b  unused 0:0",
        "end+rest! end::rest!7: State has the forms of a group's state, and the unused one: a:b  unused 0:0",
        "in_batches! never!8: Refill is one of evenly, in_batches, at_end, fading",
        "Queues      yes! Queues      maybe!9: Queues is one of no, yes",
        "Holds       no! Holds       1!10: Holds is one of no, yes",
        "repeated! once!5: Bounds, Marker, State, Refill, Queues and Holds stand together, and describe a repeated group",
      })
  void wrongTier(String right, String wrong, String problem) {
    assertThat(TIER).contains(right);
    assertThat(parse(TIER.replace(right, wrong)).tier()).isEmpty();
    assertThat(problems).containsExactly(problem);
  }

  @Test
  @DisplayName("an open row covers every index from its first on, and ends its table")
  void open() {
    ScriptHeader header =
        parse(
            "  job: does it.\n\n  KEYS[1..n]  key  keys\n  ARGV[1]  a  units\n"
                + "  ARGV[2..n]  b c  a group\n  ARGV[4]  d  more\n  Reply[1..n]  x  units\n"
                + "  Peek  ARGV[3] is 0\n");
    assertThat(problems).containsExactly("7: ARGV[4] is out of order");
    assertThat(header.numberOfKeys()).isEqualTo(-1);
    assertThat(header.arguments().get(1).label()).isEqualTo("ARGV[2..n]");
    assertThat(header.arguments().get(1).covers(1)).isFalse();
    assertThat(header.arguments().get(1).covers(99)).isTrue();
    assertThat(header.peek()).contains(new ScriptHeader.PeekArgument(3, "c", 0));
  }

  @Test
  @DisplayName("a header without a reply is not complete")
  void noReply() {
    parse("  job: does it.\n");
    assertThat(problems)
        .containsExactly("1: the reply is not described: add a row  Reply[1]  name  description");
  }

  @Test
  @DisplayName("a comment that does not open the script is no header")
  void none() {
    ScriptHeaderParser.parse(
        "job", Lexer.read("\n--[[ job: does it. ]]").comments(), Optional.empty(), this::add);
    assertThat(problems)
        .containsExactly("1: a script opens with a block comment that describes it: --[[ ... ]]");
  }

  private ScriptHeader parse(String text) {
    String script = "--[[\n" + text + "]]\nreturn 1";
    return Objects.requireNonNull(
        ScriptHeaderParser.parse(
            "job", Lexer.read(script).comments(), Optional.empty(), this::add));
  }

  private void add(int line, String rule, String message) {
    assertThat(rule).isEqualTo("header");
    problems.add(line + ": " + message);
  }
}
