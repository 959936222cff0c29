package io.github.penstock.spring.internal.request;

import io.github.penstock.core.http.RateLimitHeaders;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;

/** Policies of requests of servlets. Immutable. */
public final class ServletPolicies {
  private static final String WRITTEN = ServletPolicies.class.getName() + ".WRITTEN";
  private final PolicyIndex<HttpServletRequest> index;
  private final ServletCors cors;

  /**
   * Policies that decide in this order.
   *
   * @param beans the beans that contain the application's CORS configurations
   */
  public ServletPolicies(List<RequestPolicy<HttpServletRequest>> policies, BeanFactory beans) {
    index = new PolicyIndex<>(policies, new ServletReader());
    cors = new ServletCors(beans);
  }

  /** Returns whether a request may proceed; otherwise answers it. A preflight is never counted. */
  boolean allow(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (ServletCors.isPreflight(request)) {
      return true;
    }
    for (RequestPolicy<HttpServletRequest> policy : index.of(request)) {
      CallVerdict verdict = policy.counts(request) ? decide(policy, request) : CallVerdict.NONE;
      SettlementFilter.hold(verdict.held(), request);
      PolicyAnswer denial = verdict.denial();
      if (denial != null) {
        write(denial, request, response);
        cors.allow(request, response);
        refuse(denial, response);
        return false;
      }
      verdict.answers().forEach(answer -> write(answer, request, response));
    }
    return true;
  }

  private static CallVerdict decide(
      RequestPolicy<HttpServletRequest> policy, HttpServletRequest request) {
    try {
      return policy.call(request).ask();
    } catch (RuntimeException failure) {
      return CallVerdict.undecided(policy.limits(), failure);
    }
  }

  private static void write(
      PolicyAnswer answer, HttpServletRequest request, HttpServletResponse response) {
    PolicyAnswer earlier = (PolicyAnswer) request.getAttribute(WRITTEN);
    if (answer.isStricterThan(earlier)) {
      if (earlier == null) {
        ServletCors.expose(answer.fields().keySet(), request, response);
      } else {
        earlier.fields().keySet().forEach(name -> response.setHeader(name, null));
      }
      request.setAttribute(WRITTEN, answer);
      answer.fields().forEach(response::setHeader);
    }
  }

  private static void refuse(PolicyAnswer answer, HttpServletResponse response) throws IOException {
    response.setStatus(answer.status());
    response.setContentType(RateLimitHeaders.PROBLEM_TYPE);
    response.getOutputStream().print(answer.problem());
  }
}
