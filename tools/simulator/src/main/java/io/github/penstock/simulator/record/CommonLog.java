package io.github.penstock.simulator.record;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Common and Combined Log Format: {@code host ident user [time] "request" status bytes "referer"
 * "user agent"}; the text before the address and after these fields is ignored.
 *
 * <p>Source: Apache HTTP Server, mod_log_config; nginx, ngx_http_log_module.
 */
public final class CommonLog implements RecordFormat {
  static final List<String> NAMES =
      List.of(
          "address",
          "user",
          "time",
          "request",
          "status",
          "bytes",
          "referer",
          "user-agent",
          "forwarded");
  private static final int ADDRESS = 0;
  private static final int USER = 1;
  private static final int TIME = 2;
  private static final int REQUEST = 3;
  private static final int STATUS = 4;
  private static final int BYTES = 5;
  private static final int REFERER = 6;
  private static final int LAST = 7;
  private static final int FORWARDED = 8;
  private static final int BEFORE = 9;

  private static final Pattern CUT_ADDRESS =
      Pattern.compile("(?!\\d{1,3}(\\.\\d{1,3}){3}$)[\\d.]+");

  private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");
  private static final Pattern HOST = Pattern.compile("(?:\\[.*]|[^:]+):\\d+");

  @Override
  public @Nullable RecordFields read(String line) throws UnreadableRecordException {
    if (line.isBlank()) {
      return null;
    }
    String[] values = new String[BEFORE + 1];
    int quote = line.indexOf('"');
    int open = line.lastIndexOf('[', quote < 0 ? line.length() : quote);
    int close = line.indexOf(']', open + 1);
    if (open < 0 || close < 0) {
      throw new UnreadableRecordException("no time in [brackets]");
    }
    client(line.substring(0, open), values);
    values[TIME] = line.substring(open + 1, close);
    int at = quoted(line, close + 1, REQUEST, values);
    at = word(line, at, STATUS, values);
    at = word(line, at, BYTES, values);
    for (int field = REFERER; field <= LAST && at < line.length(); field++) {
      at = quoted(line, at, field, values);
    }
    return new Values(values, line.substring(at));
  }

  /** Returns whether a line has a referer, were it only "-", which makes it Combined. */
  public static boolean isCombined(String line) {
    try {
      return new CommonLog().read(line) instanceof Values read && read.values[REFERER] != null;
    } catch (UnreadableRecordException no) {
      return false;
    }
  }

  /*
   * The address is the last word before ident and user that reads as one: hosts, containers and
   * syslog stand before it. A user may hold spaces. Instead of an address, it may contain a name of
   * HostnameLookups.
   */
  private static void client(String head, String[] values) throws UnreadableRecordException {
    List<String> words = words(head.strip());
    int last = words.size() - 3;
    if (last < 0) {
      throw new UnreadableRecordException("not address, ident and user before the time");
    }
    int first = last;
    while (first >= 0 && !AddressText.isAddress(words.get(first))) {
      first--;
    }
    first = first >= 0 ? first : name(words, last);
    values[ADDRESS] = words.get(first);
    values[BEFORE] = first == 0 ? null : String.join(" ", words.subList(0, first));
    values[USER] = String.join(" ", words.subList(first + 2, words.size()));
    if (values[USER].contains("[") || CUT_ADDRESS.matcher(values[ADDRESS]).matches()) {
      throw new UnreadableRecordException(
          "the line is torn: it holds parts of two, or begins late");
    }
  }

  private static int name(List<String> words, int last) {
    boolean nobody = words.get(last + 1).equals("-") && words.get(last + 2).equals("-");
    return nobody ? last : last > 0 && HOST.matcher(words.get(0)).matches() ? 1 : 0;
  }

  /* Words that commas join are one. */
  private static List<String> words(String head) {
    List<String> words = new ArrayList<>(4);
    boolean joined = false;
    for (int at = skipSpaces(head, 0); at < head.length(); ) {
      int end = head.indexOf(' ', at);
      end = end < 0 ? head.length() : end;
      String word = head.substring(at, end);
      int before = words.size() - 1;
      if (joined || word.startsWith(",") && before >= 0) {
        words.set(before, words.get(before) + word);
      } else {
        words.add(word);
      }
      joined = word.endsWith(",");
      at = skipSpaces(head, end);
    }
    return words;
  }

  private static int quoted(String line, int from, int field, String[] values)
      throws UnreadableRecordException {
    int begin = skipSpaces(line, from);
    if (begin >= line.length() || line.charAt(begin) != '"') {
      if (field == REQUEST) {
        throw new UnreadableRecordException("no request in \"quotes\" after the time");
      }
      return line.length();
    }
    int end = begin + 1;
    while (end < line.length() && line.charAt(end) != '"') {
      end += line.charAt(end) == '\\' ? 2 : 1;
    }
    if (end >= line.length()) {
      throw new UnreadableRecordException("a quote is never closed");
    }
    values[field] = line.substring(begin + 1, end);
    return end + 1;
  }

  private static int word(String line, int from, int field, String[] values)
      throws UnreadableRecordException {
    int begin = skipSpaces(line, from);
    int end = line.indexOf(' ', begin);
    end = end < 0 ? line.length() : end;
    String word = line.substring(Math.min(begin, end), end);
    if (!word.equals("-") && !isNumber(word)) {
      throw new UnreadableRecordException("no " + NAMES.get(field) + " after the request");
    }
    values[field] = word;
    return end;
  }

  private static boolean isNumber(String word) {
    int digits = 0;
    while (digits < word.length() && Character.isDigit(word.charAt(digits))) {
      digits++;
    }
    return digits > 0 && digits == word.length();
  }

  private static int skipSpaces(String line, int from) {
    int at = from;
    while (at < line.length() && line.charAt(at) == ' ') {
      at++;
    }
    return at;
  }

  /*
   * After the user agent follows, as in nginx's main, a proxy's report of its client: the last
   * quoted address.
   */
  private record Values(@Nullable String[] values, String rest) implements RecordFields {
    @Override
    public @Nullable String get(String name) {
      int index = NAMES.indexOf(name);
      String value = index < 0 ? null : index == FORWARDED ? forwarded() : values[index];
      return value == null || value.isEmpty() || value.equals("-") ? null : value;
    }

    private @Nullable String forwarded() {
      String last = null;
      for (Matcher each = QUOTED.matcher(rest); each.find(); ) {
        last = AddressText.isAddress(each.group(1)) ? each.group(1) : last;
      }
      return last;
    }

    @Override
    public @Nullable String beforeAddress() {
      return values[BEFORE];
    }

    @Override
    public List<String> names() {
      return NAMES;
    }
  }
}
