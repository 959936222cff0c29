package io.github.penstock.spring.internal.request;

import io.github.penstock.spring.internal.subject.AddressSubject;
import io.github.penstock.spring.internal.subject.HeaderSubject;
import io.github.penstock.spring.internal.subject.SubjectText;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

/**
 * The subject of a request: {@code ip}, {@code user}, {@code header:NAME} or an expression. A
 * request without this subject counts for its address. Subjects of different kinds have different
 * prefixes, so that they cannot collide. Immutable.
 *
 * @param <R> the request
 */
public final class RequestSubject<R> {
  private static final String HEADER = "header:";
  private final RequestReader<R> reader;
  private final boolean user;
  private final BiFunction<RequestReader<R>, R, @Nullable String> subject;

  private RequestSubject(
      RequestReader<R> reader,
      boolean user,
      BiFunction<RequestReader<R>, R, @Nullable String> subject) {
    this.reader = reader;
    this.user = user;
    this.subject = subject;
  }

  /**
   * Parses a subject from configuration.
   *
   * @throws IllegalArgumentException if it is none of the four
   */
  public static <R> RequestSubject<R> parse(
      String text, RequestReader<R> reader, BeanFactory beans) {
    if (text.equals("ip")) {
      return new RequestSubject<>(reader, false, (read, request) -> null);
    }
    if (text.equals("user")) {
      return new RequestSubject<>(
          reader, true, (read, request) -> prefixed("user:", read.user(request)));
    }
    if (text.startsWith(HEADER) && text.length() > HEADER.length()) {
      String name = text.substring(HEADER.length()).strip();
      return new RequestSubject<>(
          reader,
          false,
          (read, request) -> {
            String value = read.header(request, name);
            return value == null || value.isEmpty() ? null : HeaderSubject.of(value);
          });
    }
    if (!RequestExpression.isOne(text)) {
      throw new IllegalArgumentException(
          "must be ip, user, header:NAME or an expression, #{...}: " + text);
    }
    RequestExpression expression = RequestExpression.of(text, beans);
    return new RequestSubject<>(
        reader, false, (read, request) -> prefixed("value:", expression.text(request)));
  }

  private static @Nullable String prefixed(String prefix, @Nullable String name) {
    return name == null || !SubjectText.isUsable(name) ? null : prefix + name;
  }

  /** Returns whether it needs the authenticated user. */
  boolean needsUser() {
    return user;
  }

  /** The subject of a request. */
  String of(R request) {
    String found = subject.apply(reader, request);
    return found == null ? AddressSubject.of(reader.address(request)) : found;
  }
}
