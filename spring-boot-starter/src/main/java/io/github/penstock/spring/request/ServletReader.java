package io.github.penstock.spring.request;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  @Override
  public String method(HttpServletRequest request) {
    return request.getMethod();
  }
}
