package io.github.penstock.spring.internal.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets a request proceed if all of its policies allow it, or answers it. Each request is counted
 * once, even if it is dispatched again later.
 */
public final class ServletPolicyFilter extends OncePerRequestFilter {
  private final ServletPolicies policies;

  /** A filter for these policies. */
  public ServletPolicyFilter(ServletPolicies policies) {
    this.policies = policies;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (policies.allow(request, response)) {
      chain.doFilter(request, ServletCors.keeping(request, response));
    }
  }
}
