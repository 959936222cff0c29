package io.github.penstock.spring.internal.request;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Settles the units that the policies of a request hold when the status of its response is known.
 * It is the outermost filter, because Spring Security converts exceptions of inner filters to a 401
 * or 403.
 */
public final class SettlementFilter extends OncePerRequestFilter {
  private static final String HELD = SettlementFilter.class.getName() + ".HELD";

  /* A request that does not reach this filter is charged when its holds expire. */
  static void hold(List<HeldUnits> held, HttpServletRequest request) {
    if (!held.isEmpty() && request.getAttribute(HELD) instanceof List<?> all) {
      @SuppressWarnings("unchecked") // only this class sets it
      List<HeldUnits> units = (List<HeldUnits>) all;
      units.addAll(held);
    }
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    List<HeldUnits> held = new CopyOnWriteArrayList<>();
    request.setAttribute(HELD, held);
    int status = HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
    try {
      chain.doFilter(request, response);
      status = response.getStatus();
    } finally {
      if (request.isAsyncStarted()) {
        request.getAsyncContext().addListener(new CompletionListener(held, response));
      } else {
        settle(held, status);
      }
    }
  }

  private static void settle(List<HeldUnits> held, int status) {
    held.forEach(units -> units.settle(status));
  }

  private record CompletionListener(List<HeldUnits> held, HttpServletResponse response)
      implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
      settle(held, response.getStatus());
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      return; // it is completed after that
    }

    @Override
    public void onError(AsyncEvent event) {
      return; // it is completed after that
    }
  }
}
