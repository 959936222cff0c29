package io.github.penstock.spring.internal.method;

import io.github.penstock.core.http.RateLimitHeaders;
import io.github.penstock.spring.internal.request.ServletCors;
import io.github.penstock.spring.method.RateLimitedException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers a request whose controller was denied a call. */
@RestControllerAdvice
@Order(0)
public final class RateLimitedAdvice {
  @ExceptionHandler
  ResponseEntity<byte[]> denied(
      RateLimitedException denied, HttpServletRequest request, HttpServletResponse response) {
    ServletCors.expose(denied.fields().keySet(), request, response);
    HttpHeaders headers = new HttpHeaders();
    denied.fields().forEach(headers::set);
    headers.set(HttpHeaders.CONTENT_TYPE, RateLimitHeaders.PROBLEM_TYPE);
    return ResponseEntity.status(denied.status())
        .headers(headers)
        .body(denied.problem().getBytes(StandardCharsets.US_ASCII));
  }
}
