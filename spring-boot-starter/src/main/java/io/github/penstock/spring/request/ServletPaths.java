package io.github.penstock.spring.request;

import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Selects requests of servlets: by the path as Spring MVC matches it, and by the path by which the
 * server chooses the servlet.
 *
 * @param selection which are selected
 */
public record ServletPaths(PathSelection selection) implements Predicate<HttpServletRequest> {
  @Override
  public boolean test(HttpServletRequest request) {
    return selection.selects(request.getMethod(), paths(request));
  }

  private static List<PathContainer> paths(HttpServletRequest request) {
    List<PathContainer> paths = new ArrayList<>();
    paths.add(ServletRequestPathUtils.parse(request).pathWithinApplication());
    String within = request.getPathInfo() == null ? "" : request.getPathInfo();
    HttpServletMapping mapping = request.getHttpServletMapping();
    boolean below = mapping != null && mapping.getMappingMatch() == MappingMatch.PATH;
    paths.add(PathContainer.parsePath(below ? within : request.getServletPath() + within));
    return paths;
  }
}
