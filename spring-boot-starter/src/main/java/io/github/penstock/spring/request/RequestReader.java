package io.github.penstock.spring.request;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;

/**
 * Reads what policies must know of a request.
 *
 * @param <R> the request, as the framework has it
 */
public interface RequestReader<R> {
  /** The address that the server says the request comes from; null if it has none. */
  @Nullable String address(R request);

  /** The name of who is signed in; null if nobody is. */
  @Nullable String user(R request);

  /** The value of a header, several values joined by commas; null if it has none. */
  @Nullable String header(R request, String name);

  /** The path of a request as each party reads it, one at least. */
  List<PathContainer> paths(R request);

  /** Returns whether a request is the application's own, which has policies. */
  default boolean isLimited(R request) {
    return true;
  }

  /** The method, such as {@code GET}. */
  String method(R request);
}
