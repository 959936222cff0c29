package io.github.penstock.spring.internal.request;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The requests to which a policy applies, by path and method. Immutable.
 *
 * <p>A request has a path in the framework's form, and possibly others in the server's. It is
 * selected if any of them matches, and excluded only if all do, so that no spelling of a path
 * evades a limit.
 *
 * @param paths patterns of paths; none for all
 * @param exclude patterns of paths that are excluded
 * @param methods methods, {@code HEAD} included with {@code GET}; none for all
 */
public record PathSelection(
    List<PathPattern> paths, List<PathPattern> exclude, Set<String> methods) {
  /**
   * Returns whether a request is selected.
   *
   * @param alternatives its path in each form, at least one
   */
  boolean selects(String method, List<PathContainer> alternatives) {
    return (methods.isEmpty() || methods.contains(method))
        && (paths.isEmpty() || alternatives.stream().anyMatch(path -> matches(paths, path)))
        && !alternatives.stream().allMatch(path -> matches(exclude, path));
  }

  private static boolean matches(List<PathPattern> patterns, @Nullable PathContainer path) {
    return path != null && patterns.stream().anyMatch(pattern -> pattern.matches(path));
  }
}
