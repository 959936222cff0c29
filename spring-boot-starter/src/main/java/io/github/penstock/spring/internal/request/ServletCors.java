package io.github.penstock.spring.internal.request;

import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.CorsUtils;

/**
 * The interface of a policy to an application's CORS layer, and the fields that this layer cannot
 * add to an earlier response.
 *
 * @param beans the beans that contain the configurations
 */
public record ServletCors(BeanFactory beans) {
  private static final String DISPATCHER = "org.springframework.web.servlet.DispatcherServlet";

  /**
   * Returns whether a request is a preflight that Spring MVC answers itself, allowed or not, so
   * that it reaches no handler.
   */
  static boolean isPreflight(HttpServletRequest request) {
    HttpServletMapping mapping = request.getHttpServletMapping();
    if (!CorsUtils.isPreFlightRequest(request) || mapping == null) {
      return false;
    }
    ServletRegistration servlet =
        request.getServletContext().getServletRegistration(mapping.getServletName());
    return servlet != null && DISPATCHER.equals(servlet.getClassName());
  }

  /** Lets a browser read these fields. */
  public static void expose(
      Set<String> names, HttpServletRequest request, HttpServletResponse response) {
    if (CorsUtils.isCorsRequest(request)) {
      Set<String> all = new TreeSet<>(names);
      all.add(HttpHeaders.RETRY_AFTER);
      response.addHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, String.join(", ", all));
    }
  }

  /** A response to whose exposed fields the CORS layer adds without replacing any. */
  static HttpServletResponse keeping(HttpServletRequest request, HttpServletResponse response) {
    if (!CorsUtils.isCorsRequest(request)) {
      return response;
    }
    return new HttpServletResponseWrapper(response) {
      @Override
      public void setHeader(String name, @Nullable String value) {
        if (value != null && HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS.equalsIgnoreCase(name)) {
          addHeader(name, value);
        } else {
          super.setHeader(name, value);
        }
      }
    };
  }

  /** Lets a browser of an allowed origin read a denial. */
  void allow(HttpServletRequest request, HttpServletResponse response) {
    if (!CorsUtils.isCorsRequest(request)
        || response.containsHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN)) {
      return;
    }
    List<CorsConfigurationSource> sources =
        beans.getBeanProvider(CorsConfigurationSource.class).orderedStream().toList();
    for (CorsConfigurationSource source : sources) {
      CorsConfiguration configuration = configuration(source, request);
      if (configuration != null) {
        allow(configuration, request, response);
        return;
      }
    }
  }

  /* If a mapping cannot be evaluated now, the response has no CORS fields. */
  private static @Nullable CorsConfiguration configuration(
      CorsConfigurationSource source, HttpServletRequest request) {
    try {
      return source.getCorsConfiguration(request);
    } catch (RuntimeException unknown) {
      return null;
    }
  }

  private static void allow(
      CorsConfiguration configuration, HttpServletRequest request, HttpServletResponse response) {
    String origin;
    try {
      origin = configuration.checkOrigin(request.getHeader(HttpHeaders.ORIGIN));
    } catch (IllegalArgumentException wrong) {
      return;
    }
    if (origin != null) {
      response.setHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, origin);
      response.addHeader(HttpHeaders.VARY, HttpHeaders.ORIGIN);
      if (Boolean.TRUE.equals(configuration.getAllowCredentials())) {
        response.setHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
      }
    }
  }
}
