package io.github.penstock.spring.request;

import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.http.RateLimitHeaders;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets a request go on if all of its policies allow, or answers it. Each request is counted once,
 * whatever it is dispatched to later.
 */
public final class ServletPolicyFilter extends OncePerRequestFilter {
  private static final String WRITTEN = ServletPolicyFilter.class.getName() + ".WRITTEN";
  private final List<RequestPolicy<HttpServletRequest, RateLimiter>> policies;

  /** A filter for these policies, which are asked in their order. */
  public ServletPolicyFilter(List<RequestPolicy<HttpServletRequest, RateLimiter>> policies) {
    this.policies = List.copyOf(policies);
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    for (RequestPolicy<HttpServletRequest, RateLimiter> policy : policies) {
      if (!policy.counts(request)) {
        continue;
      }
      PolicyAnswer answer = decide(policy, request);
      if (!policy.dryRun()) {
        write(answer, request, response);
        if (!answer.allowed()) {
          return;
        }
      }
    }
    chain.doFilter(request, response);
  }

  private static PolicyAnswer decide(
      RequestPolicy<HttpServletRequest, RateLimiter> policy, HttpServletRequest request) {
    PlanLimit<RateLimiter> limit = policy.limits().of(request);
    try {
      String subject = policy.subject().of(request);
      long cost = policy.cost().of(request);
      return new PolicyAnswer(limit.limiter().tryAcquire(subject, cost), limit);
    } catch (RuntimeException failure) {
      return policy.undecided(limit, failure);
    }
  }

  private static void write(
      PolicyAnswer answer, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    PolicyAnswer earlier = (PolicyAnswer) request.getAttribute(WRITTEN);
    if (answer.isStricterThan(earlier)) {
      if (earlier != null) {
        earlier.fields().keySet().forEach(name -> response.setHeader(name, null));
      }
      request.setAttribute(WRITTEN, answer);
      answer.fields().forEach(response::setHeader);
    }
    if (!answer.allowed()) {
      response.setStatus(answer.status());
      response.setContentType(RateLimitHeaders.PROBLEM_TYPE);
      response.getOutputStream().print(answer.problem());
    }
  }
}
