package io.github.penstock.core.spi.connecting;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The passwords that an adapter signs in with, so that no exception of these limiters shows one: as
 * they are written in a URI, and decoded. Immutable; {@code toString()} shows none.
 */
public final class KnownPasswords {
  private static final KnownPasswords NONE = new KnownPasswords(List.of());
  private static final Pattern IN_URI =
      Pattern.compile("://(?:[^/?#@]*?:)?([^/?#]*)@|[?&]\\w*[Pp]assword=([^&#]*)");
  private static final String SHOWN = "***";
  private final List<String> passwords;

  private KnownPasswords(List<String> passwords) {
    this.passwords = passwords;
  }

  /** No passwords. */
  public static KnownPasswords none() {
    return NONE;
  }

  /** The passwords in a URI; none if it has none. */
  public static KnownPasswords of(String uri) {
    KnownPasswords found = NONE;
    Matcher matcher = IN_URI.matcher(uri);
    while (matcher.find()) {
      found = found.and(matcher.group(1)).and(matcher.group(2));
    }
    return found;
  }

  /** These and one more, as it is and percent-decoded; null and an empty one change nothing. */
  public KnownPasswords and(@Nullable String password) {
    if (password == null || password.isEmpty()) {
      return this;
    }
    Set<String> more = new LinkedHashSet<>(passwords);
    more.add(password);
    more.add(decoded(password));
    return new KnownPasswords(
        more.stream().sorted((one, other) -> other.length() - one.length()).toList());
  }

  /** Returns whether a text has one of them in it. */
  public boolean isIn(@Nullable String text) {
    return text != null && passwords.stream().anyMatch(text::contains);
  }

  /** A text without them. */
  public String hiddenIn(String text) {
    String clean = text;
    for (String password : passwords) {
      clean = clean.replace(password, SHOWN);
    }
    return clean;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEncoded) {
      return text;
    }
  }

  @Override
  public String toString() {
    return passwords.size() + " passwords";
  }
}
