package io.github.penstock.spring.internal.request;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.web.context.support.WebApplicationContextUtils;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Applies policies when Spring MVC has found the handler of a request. Each request is counted
 * once, before its first handler; an error page is not counted.
 */
public final class HandlerPolicyInterceptor implements HandlerInterceptor {
  private static final String ASKED = HandlerPolicyInterceptor.class.getName() + ".ASKED";
  private final ServletPolicies policies;

  /** An interceptor for these policies. */
  public HandlerPolicyInterceptor(ServletPolicies policies) {
    this.policies = policies;
  }

  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws IOException {
    if (request.getDispatcherType() == DispatcherType.ERROR
        || request.getAttribute(ASKED) != null
        || isOfManagement(request)) {
      return true;
    }
    request.setAttribute(ASKED, true);
    return policies.allow(request, response);
  }

  /* Excludes Actuator on a separate port: its handlers have the application's interceptors. */
  private static boolean isOfManagement(HttpServletRequest request) {
    return WebServerApplicationContext.hasServerNamespace(
        WebApplicationContextUtils.getWebApplicationContext(request.getServletContext()),
        "management");
  }
}
