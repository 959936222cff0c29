package io.github.penstock.spring.internal.request;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;

/**
 * Reads the values that policies need from a request.
 *
 * @param <R> the framework's request
 */
public interface RequestReader<R> {
  /** The address from which the request comes, according to the server; null if it has none. */
  @Nullable String address(R request);

  /** The name of the authenticated user; null if there is none. */
  @Nullable String user(R request);

  /** The value of a header, several values joined by commas; null if it has none. */
  @Nullable String header(R request, String name);

  /** The path of a request in each form, at least one. */
  List<PathContainer> paths(R request);

  /** Returns whether a request belongs to the application, which has policies. */
  default boolean isLimited(R request) {
    return true;
  }

  /** The method, such as {@code GET}. */
  String method(R request);
}
