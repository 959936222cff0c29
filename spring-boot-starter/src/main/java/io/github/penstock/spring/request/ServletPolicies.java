package io.github.penstock.spring.request;

import io.github.penstock.core.http.RateLimitHeaders;
import io.github.penstock.spring.control.PolicyMode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/** Policies of requests of servlets. Immutable. */
public final class ServletPolicies {
  private static final String WRITTEN = ServletPolicies.class.getName() + ".WRITTEN";
  private final PolicyIndex<HttpServletRequest> index;

  /** Policies that are asked in this order. */
  public ServletPolicies(List<RequestPolicy<HttpServletRequest>> policies) {
    index = new PolicyIndex<>(policies, new ServletReader());
  }

  /** Returns whether a request may go on; answers it otherwise. */
  boolean allow(HttpServletRequest request, HttpServletResponse response) throws IOException {
    for (RequestPolicy<HttpServletRequest> policy : index.of(request)) {
      PolicyMode mode = policy.limits().mode();
      if (mode == PolicyMode.OFF || !policy.counts(request)) {
        continue;
      }
      PolicyAnswer answer = decide(policy, request);
      if (mode == PolicyMode.ENFORCED) {
        write(answer, request, response);
        if (!answer.allowed()) {
          return false;
        }
      }
    }
    return true;
  }

  private static PolicyAnswer decide(
      RequestPolicy<HttpServletRequest> policy, HttpServletRequest request) {
    PlanLimit limit = policy.limit(request);
    try {
      return limit.ask(policy.subject().of(request), policy.cost().of(request));
    } catch (RuntimeException failure) {
      return PolicyAnswer.undecided(limit, failure);
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
