package io.github.penstock.examples.web;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application. */
@SpringBootApplication
public class WebApplication {
  /** Starts it; it needs a Redis as {@code spring.data.redis} says. */
  public static void main(String[] arguments) {
    SpringApplication.run(WebApplication.class, arguments);
  }
}
