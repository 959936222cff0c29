package io.github.penstock.examples.web;

import io.github.penstock.core.PenstockException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers 503, and never 500, where the limiter could not decide and was not told to let pass. */
@RestControllerAdvice
class UndecidedAdvice {
  private static final Logger LOG = LoggerFactory.getLogger(UndecidedAdvice.class);

  @ExceptionHandler
  ProblemDetail undecided(PenstockException failure) {
    LOG.warn("A request could not be decided on: {}", failure.getMessage());
    return ProblemDetail.forStatus(HttpStatus.SERVICE_UNAVAILABLE);
  }
}
