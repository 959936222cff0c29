package io.github.penstock.examples.web;

import io.github.penstock.core.Decision;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.http.RateLimitHeaders;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.servlet.HandlerInterceptor;

/** Lets a caller through as its limit says, or answers in place of the controller. */
final class RateLimitInterceptor implements HandlerInterceptor {
  private final RateLimiter limiter;
  private final RateLimitHeaders headers;
  private final CallerSubject subject;

  RateLimitInterceptor(RateLimiter limiter, CallerSubject subject) {
    this.limiter = limiter;
    this.headers = RateLimitHeaders.of(limiter.policy(), limiter.limit());
    this.subject = subject;
  }

  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws IOException {
    if (request.getDispatcherType() != DispatcherType.REQUEST) {
      return true; // an error page or the end of an asynchronous request: it was counted before
    }
    Decision decision = limiter.tryAcquire(subject.of(request));
    headers.fields(decision).forEach(response::addHeader);
    if (!decision.allowed()) {
      response.setStatus(RateLimitHeaders.status(decision));
      response.setContentType(RateLimitHeaders.PROBLEM_TYPE);
      response.getOutputStream().print(headers.problem(decision)); // ASCII
    }
    return decision.allowed();
  }
}
