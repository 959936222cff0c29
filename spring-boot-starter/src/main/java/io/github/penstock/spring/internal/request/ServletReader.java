package io.github.penstock.spring.internal.request;

import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import java.security.Principal;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.ServletRequestPathUtils;

/** Reads requests of servlets. */
public final class ServletReader implements RequestReader<HttpServletRequest> {
  @Override
  public @Nullable String address(HttpServletRequest request) {
    return request.getRemoteAddr();
  }

  @Override
  public @Nullable String user(HttpServletRequest request) {
    Principal user = request.getUserPrincipal();
    return user == null ? null : user.getName();
  }

  @Override
  public @Nullable String header(HttpServletRequest request, String name) {
    List<String> values = Collections.list(request.getHeaders(name));
    return values.isEmpty() ? null : String.join(", ", values);
  }

  /** The path in Spring MVC's form, and the path by which the server chooses the servlet. */
  @Override
  public List<PathContainer> paths(HttpServletRequest request) {
    PathContainer own = ServletRequestPathUtils.parse(request).pathWithinApplication();
    String within = request.getPathInfo() == null ? "" : request.getPathInfo();
    HttpServletMapping mapping = request.getHttpServletMapping();
    boolean below = mapping != null && mapping.getMappingMatch() == MappingMatch.PATH;
    String servers = below ? within : request.getServletPath() + within;
    return List.of(own, PathContainer.parsePath(servers));
  }

  @Override
  public String method(HttpServletRequest request) {
    return request.getMethod();
  }
}
