package io.github.penstock.lua.maven.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.lua.maven.rule.RuleViolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptReaderTest {
  private static final String HEADER =
      """
      --[[
        job: does it.

        KEYS[1]     key    a key
        ARGV[1]     cost   units
        ARGV[2..3]  a b    a pair, repeated
        ARGV[n]     now    optional: a time
        Reply[1]    one    0 or 1
        Reply[2]    two    units
      ]]
      """;
  private static final String PART = "--[[\n  part: is a part.\n\n  Sets  y\n]]\n";
  private static final int LINES = 10;
  private static final String USES =
      "local used = {KEYS[1], ARGV[1], ARGV[#ARGV]} for i = 2, #ARGV, 2 do used[ARGV[i]] = ARGV[i + 1] end ";
  private static final String REPLY = "return {1, 2}";

  @TempDir Path root;

  @Test
  @DisplayName("a script that keeps every rule has no problem")
  void clean() throws IOException {
    assertThat(problems(USES + REPLY)).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("what Lua 5.1 does not have is refused, with its line")
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      value = {
        "goto done! Lua 5.1 has no goto",
        "::done::! Lua 5.1 has no labels",
        "local x = 1;;! Lua 5.1 has no empty statement",
        "do ; end! Lua 5.1 has no empty statement",
        "while used do break used = 1 end! in Lua 5.1 break must be the last statement of its block",
        "local x = 0x1p4! Lua 5.1 has no hexadecimal floating-point numbers: 0x1p4",
        "local x = 0x.8! Lua 5.1 has no hexadecimal floating-point numbers: 0x.8",
        "local x = 7 // 2! Lua 5.1 has no operator //",
        "local x = 7 & 2! Lua 5.1 has no operator &",
        "local x = 7 | 2! Lua 5.1 has no operator |",
        "local x = 7 ~ 2! Lua 5.1 has no operator ~",
        "local x = 7 << 2! Lua 5.1 has no operator <<",
        "local x = 7 >> 2! Lua 5.1 has no operator >>",
        "local x = ~7! Lua 5.1 has no operator ~",
        "local x = '\\x41'! Lua 5.1 has no escape sequence \\x",
        "local x = '\\z'! Lua 5.1 has no escape sequence \\z",
        "local x = '\\u{41}'! Lua 5.1 has no escape sequence \\u",
        "local x = '\\300'! the escape sequence \\300 is over 255",
        "local x <const> = 1! Lua 5.1 has no attributes on variables",
        "local x = 1..2! malformed number 1..2",
        "local x = 3x! malformed number 3x",
        "local x = [[ a [[ b ]]! Lua 5.1 has no '[[' inside a string in long brackets: use [=[ ... ]=]",
        "local goto = 1! 'goto' is not a name in every version of Lua",
        "local x = 'open! a string is not closed on its line",
        "local x = [[open! a string in long brackets is not closed",
        "local x = 1 $ 2! unexpected character '$'",
        "local f = function() return ... end! '...' outside a function that takes any number of arguments",
        "local x = ...! a script has no '...': Redis passes KEYS and ARGV",
        "used! expected a statement: this expression has no effect",
        "(used) = 1! only a variable or a field can be assigned",
        "if used then! expected 'end' to close 'if' instead of the end of the script (opened at lua/job.lua:11)",
        "return 1 local x! unexpected 'local'",
      })
  void syntax(String statement, String message) throws IOException {
    String problem = "lua/job.lua:%d: syntax: %s".formatted(LINES + 1, message);
    assertThat(problems(USES + statement + "\n" + REPLY))
        .anyMatch(p -> p.equals(problem) || p.endsWith(": syntax: " + message));
  }

  @Test
  @DisplayName("bounds that no error states, and state that is never written, are refused")
  void tier() throws IOException {
    String rows =
        "  Bounds  a 1..9, b 1..9\n  Marker  m b\n  State  end:left  unused 0:0\n"
            + "  Refill  evenly\n  Queues  no\n  Holds  no\n]]\n";
    String texts =
        "used[1] = {'a must be an integer from 1 to 9', 'b must be an integer from 1 to 9',"
            + " string.format('%d:%d', 1, 1), '0:0'} ";
    write("job", HEADER.replace("]]\n", rows) + USES + texts + REPLY);
    assertThat(read()).isEmpty();
    write("job", HEADER.replace("]]\n", rows) + USES + texts.replace("9'", "8'") + REPLY);
    assertThat(read())
        .containsExactly(
            "lua/job.lua:10: tier: Bounds needs the error \"a must be an integer from 1 to 9\", which the script does not have",
            "lua/job.lua:10: tier: Bounds needs the error \"b must be an integer from 1 to 9\", which the script does not have");
    write("job", HEADER.replace("]]\n", rows) + USES + texts.replace(":", ",") + REPLY);
    assertThat(read())
        .containsExactly(
            "lua/job.lua:10: tier: State needs the format \"%d:%d\", which the script does not have",
            "lua/job.lua:10: tier: State needs the unused state \"0:0\", which the script does not have");
  }

  @Test
  @DisplayName("reading stops at the first error, and one mistake is one problem")
  void stops() throws IOException {
    assertThat(problems(USES + "\nx = 1\nlocal s = = 1\nlocal u = = 2\nprint(s, u)\n" + REPLY))
        .containsExactly("lua/job.lua:13: syntax: unexpected '='");
  }

  @ParameterizedTest
  @DisplayName("a statement that cannot be read brings no other problem with it")
  @ValueSource(
      strings = {
        "if used = 1 then\n used[1] = 1\nelseif used then\n used[2] = 1\nelse\n used[3] = 1\nend",
        "for i = 1 2 do\n used[i] = i\nend",
        "while used = 1 do used[1] = 1 end",
        "for i = 1, 2\n used[i] = i\nend",
        "repeat local x = = 1 until x",
        "local f = function( = )\n return 1\nend",
        "local t = {\n a = = 1,\n b = 2,\n c = function() return 1 end,\n d = 3\n}",
        "used[1] = tostring(function( = ) return 1 end)",
        "local function f(a)\n local b = = a\n if b then return a end\n return b\nend",
        ")",
        "used[1] = 1 + + 2",
      })
  void noCascade(String statement) throws IOException {
    List<String> problems = problems(USES + "\n" + statement + "\nprint(1)\n" + REPLY);
    assertThat(problems).singleElement().asString().contains(": syntax: ");
  }

  @Test
  @DisplayName("a call that begins on a new line is ambiguous in Lua 5.1")
  void ambiguous() throws IOException {
    assertThat(problems(USES + "\nlocal f = used\n(used)()\n" + REPLY))
        .containsExactly(
            "lua/job.lua:13: syntax: ambiguous: '(' on a new line is either a call or a new statement");
  }

  @ParameterizedTest
  @DisplayName("only what every Redis offers is known, and nothing of it is assigned")
  @CsvSource(
      delimiter = '!',
      value = {
        "print(used)! print is not a global in every Redis",
        "local x = os.time()! os is not a global in every Redis",
        "local x = loadstring(used)! loadstring is not a global in every Redis",
        "local x = arg! arg is not a global in every Redis",
        "local f = function() return undefined end! undefined is not a global in every Redis",
        "x = 1! assignment to the global x: declare it local",
        "local f = function() x = 1 end! assignment to the global x: declare it local",
        "function x() end! assignment to the global x: declare it local",
        "for i = 1, 2 do used, x = i, i end! assignment to the global x: declare it local",
        "rawset(string, 'x', 1)! rawset changes the global table string",
        "setmetatable(string, {})! setmetatable changes the global table string",
        "local s = math rawset(s, 'x', 1)! rawset changes the global table math",
        "string.x = 1! assignment into the global table string",
        "function math.x.y() end! assignment into the global table math",
        "redis.replicate_commands()! redis.replicate_commands is missing in some Redis, or in its Functions",
        "redis.breakpoint()! redis.breakpoint is missing in some Redis, or in its Functions",
        "local r = redis r.debug(1)! redis.debug is missing in some Redis, or in its Functions",
        "local x = redis.REDIS_VERSION! redis.REDIS_VERSION came with Redis 7.0: add a row  Needs  Redis 7.0",
        "local x = table.unpack(used)! table.unpack is missing in some Redis, or in its Functions",
        "local x = math[used]! a member of math that cannot be checked: write its name",
      })
  void globals(String statement, String message) throws IOException {
    assertThat(problems(USES + statement + "\n" + REPLY))
        .contains("lua/job.lua:%d: global: %s".formatted(LINES + 1, message));
  }

  @ParameterizedTest
  @DisplayName("an index that is used and not described, or cannot be told, is an error")
  @CsvSource(
      delimiter = '!',
      value = {
        "used = KEYS[2]! KEYS[2] is used, but no row of the header describes it",
        "used = ARGV[4]! ARGV[4] is used, but no row of the header describes it",
        "used = ARGV[0]! ARGV[0] is used, but no row of the header describes it",
        "local four = 2 + 2 used = ARGV[four]! ARGV[4] is used, but no row of the header describes it",
        "used = KEYS[#KEYS]! KEYS[#KEYS] is used, but the header has no row KEYS[n]",
        "for i = 2, #ARGV, 3 do used = ARGV[i] end! the loop goes from 2 in steps of 3, but no repeated row of ARGV does",
        "for i = 1, #ARGV, 2 do used = ARGV[i] end! the loop goes from 1 in steps of 2, but no repeated row of ARGV does",
        "for i = 2, #ARGV, 2 do used = ARGV[i + 2] end! the index is 2 past the loop's variable, but ARGV[2..3] has only 2 values",
      })
  void indices(String statement, String message) throws IOException {
    assertThat(problems(USES + statement + "\n" + REPLY))
        .containsExactly("lua/job.lua:%d: argument: %s".formatted(LINES + 1, message));
  }

  @ParameterizedTest
  @DisplayName("an index that cannot be checked is an error")
  @ValueSource(
      strings = {
        "local i = 1 i = 2 used = ARGV[i]",
        "used = ARGV[#ARGV - 1]",
        "used = ARGV[tonumber(ARGV[1])]",
        "for i = 2, #ARGV, 2 do i = i + 1 used = ARGV[i] end",
        "for i = 2, #ARGV, 2 do used = ARGV[i - 1] end",
        "for i = #ARGV, 2, 2 do used = ARGV[i] end",
      })
  void uncheckedIndices(String statement) throws IOException {
    assertThat(problems(USES + statement + "\n" + REPLY))
        .containsExactly(
            "lua/job.lua:11: argument: an index of ARGV that cannot be checked: use a constant, #ARGV, or the"
                + " variable of a for loop over a repeated group");
  }

  @ParameterizedTest
  @DisplayName("KEYS and ARGV are not values")
  @ValueSource(
      strings = {
        "local a = ARGV a = used",
        "local a = ARGV used = a",
        "used = {ARGV}",
        "for k, v in pairs(ARGV) do used = v end"
      })
  void tables(String statement) throws IOException {
    assertThat(problems(USES + statement + "\n" + REPLY))
        .containsExactly(
            "lua/job.lua:11: argument: ARGV is used as a value, so its indices cannot be checked");
  }

  @Test
  @DisplayName("an index that is described, but not used is an error at its row")
  void unused() throws IOException {
    assertThat(problems("for i = 2, #ARGV, 2 do local a = ARGV[i] end " + REPLY))
        .containsExactly(
            "lua/job.lua:4: argument: KEYS[1] key is described, but not used",
            "lua/job.lua:5: argument: ARGV[1] cost is described, but not used",
            "lua/job.lua:6: argument: ARGV[3] b is described, but not used",
            "lua/job.lua:7: argument: ARGV[n] now is described, but not used");
  }

  @Test
  @DisplayName("constants, aliases of the length, and unpack count as uses")
  void aliases() throws IOException {
    assertThat(
            problems(
                "local n, first, step = #ARGV, 2, 2 local x = ARGV[n] for i = first, n, step do x = ARGV[i + 1] end "
                    + "local a, k = ARGV, KEYS x = {unpack(k)} x = a[1] x = a[#a] x = {unpack(ARGV, 1)} "
                    + REPLY))
        .isEmpty();
  }

  @Test
  @DisplayName("of an open row any index, the whole table and any length of the reply are allowed")
  void open() throws IOException {
    String header = HEADER.replace("ARGV[2..3]", "ARGV[2..n]").replace("Reply[2]", "Reply[2..n]");
    write(
        "job",
        header.replaceAll("(?m)^  ARGV\\[n].*\n", "")
            + "local a, i = ARGV, 1 i = i + 1 local x = {KEYS[1], a[1], a[i + 7], a} return x\n");
    assertThat(read()).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("a reply has the described length, or is an error")
  @CsvSource(
      delimiter = '!',
      value = {
        "return {1}! the reply has 1 value, but the header describes 2",
        "return {1, 2, 3}! the reply has 3 values, but the header describes 2",
        "return {}! the reply has 0 values, but the header describes 2",
        "return! a script returns one value, not 0",
        "return 1, 2! a script returns one value, not 2",
        "return 1! the length of this reply cannot be checked: return {...}",
        "return used! the length of this reply cannot be checked: return {...}",
        "return {1, used()}! the last item may be any number of values: put it into parentheses",
        "return {1, nil}! a nil ends a reply early",
        "return {one = 1, two = 2}! a reply is a list: it has no named fields",
        "local f = function() return 1 end return f()! the length of this reply cannot be checked: return {...}",
        "if used then return {1, 2} end! the script can end without a reply",
      })
  void replies(String statement, String message) throws IOException {
    List<String> problems = problems(USES + statement);
    assertThat(problems)
        .contains(
            "lua/job.lua:%d: reply: %s"
                .formatted(problems.get(0).contains(":12:") ? 12 : 11, message));
  }

  @ParameterizedTest
  @DisplayName("error replies and complete replies of any look are accepted")
  @ValueSource(
      strings = {
        "return redis.error_reply('ERR no')",
        "local e = redis.error_reply return e('ERR no')",
        "return {err = 'ERR no'}",
        "local function fail(x) if x then return {err = x} end return redis.error_reply(x) end return fail('ERR no')",
        "if used then return {1, 2} else return {1, (used())} end",
        "do return {1, tonumber('2')} end",
      })
  void accepted(String statement) throws IOException {
    assertThat(problems(USES + statement)).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("a command that cannot be known is an error")
  @CsvSource(
      delimiter = '!',
      value = {
        "redis.call(used)! a command that cannot be known: its name must be a constant",
        "redis.pcall()! a command that cannot be known: its name must be a constant",
        "pcall(redis.call, 'GET')! redis.call is passed on, so its commands cannot be known",
        "local c = redis.call c = used c('GET')! redis.call is passed on, so its commands cannot be known",
        "used = redis! redis.call is passed on, so its commands cannot be known",
      })
  void commands(String statement, String message) throws IOException {
    assertThat(problems(USES + statement + " " + REPLY))
        .containsExactly("lua/job.lua:11: command: " + message);
  }

  @ParameterizedTest
  @DisplayName("P12 a time is not written with 14 digits")
  @ValueSource(
      strings = {"used = 'x' .. t_us", "used = tostring(t_us + 1)", "used = (t_us * 2) .. 'x'"})
  void digits(String statement) throws IOException {
    assertThat(problems(USES + "local t_us = 1 " + statement + " " + REPLY))
        .containsExactly(
            "lua/job.lua:11: digits: a time keeps 14 of its 16 digits here: use string.format(\"%d\", ...)");
  }

  @Test
  @DisplayName("bytes that would break or change a script are refused")
  void encoding() throws IOException {
    Files.createDirectories(root.resolve("lua"));
    Files.write(
        root.resolve("lua/job.lua"),
        (HEADER + USES + "-- \u00e9\n" + "local x = 1\r\n" + "-- \u0007\n" + REPLY)
            .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    assertThat(read())
        .containsExactly(
            "lua/job.lua:11: encoding: a byte that is not printable ASCII",
            "lua/job.lua:12: encoding: a carriage return: it would change the script's SHA1",
            "lua/job.lua:13: encoding: a control character");
  }

  @Test
  @DisplayName("P12 no #! line")
  void shebang() throws IOException {
    write("job", "#!lua name=job\n" + HEADER + USES + REPLY);
    assertThat(read())
        .contains("lua/job.lua:1: encoding: a '#!' line: Redis before 7.0 refuses it");
  }

  @Test
  @DisplayName("all problems of all files are reported at once, each in its own file and line")
  void allAtOnce() throws IOException {
    write(
        "job", HEADER + USES + "\n--- @include \"part\"\n--- @include \"none\"\nx = 1\nreturn {1}");
    write("Other", "return 1");
    write("include/part", PART + "local y = 1\n\ny = undefined\n");
    assertThat(read())
        .containsExactly(
            "lua/Other.lua:1: header: a script opens with a block comment that describes it: --[[ ... ]]",
            "lua/Other.lua:1: name: a script is named in lower case, words joined by '-'",
            "lua/include/part.lua:8: global: undefined is not a global in every Redis",
            "lua/job.lua:13: include: there is no lua/include/none.lua",
            "lua/job.lua:14: global: assignment to the global x: declare it local",
            "lua/job.lua:15: reply: the reply has 1 value, but the header describes 2");
  }

  @Test
  @DisplayName("what cannot be read in an include is reported with its file and line")
  void include() throws IOException {
    write("job", HEADER + USES + "\n--- @include \"part\"\n" + REPLY);
    write("include/part", PART + "local y = = 1\nlocal z = 2\nlocal now = os.time()\n");
    assertThat(read()).containsExactly("lua/include/part.lua:6: syntax: unexpected '='");
  }

  @Test
  @DisplayName("an empty directory is an error")
  void empty() throws IOException {
    Files.createDirectories(root.resolve("lua"));
    assertThat(read()).containsExactly("lua:1: name: there are no scripts: *.lua");
  }

  @Test
  @DisplayName("an include that no script uses is noticed")
  void unusedInclude() throws IOException {
    write("job", HEADER + USES + REPLY);
    write("include/part", "local y = 1");
    ScriptReader reader = reader(new TreeSet<>());
    reader.read();
    assertThat(reader.unusedIncludes()).containsExactly("part");
  }

  private List<String> problems(String body) throws IOException {
    write("job", HEADER + body + "\n");
    return read();
  }

  private List<String> read() throws IOException {
    SortedSet<RuleViolation> problems = new TreeSet<>();
    List<CheckedScript> scripts = reader(problems).read();
    assertThat(scripts.isEmpty()).isEqualTo(!problems.isEmpty());
    return Stream.of(problems).flatMap(SortedSet::stream).map(RuleViolation::toString).toList();
  }

  private ScriptReader reader(SortedSet<RuleViolation> problems) {
    Path lua = root.resolve("lua");
    return new ScriptReader(lua, lua.resolve("include"), Optional.empty(), problems);
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve("lua").resolve(name + ".lua");
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
