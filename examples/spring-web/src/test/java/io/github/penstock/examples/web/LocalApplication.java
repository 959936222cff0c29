package io.github.penstock.examples.web;

import org.springframework.boot.SpringApplication;

/** The application with a Redis of its own; {@code ./start} runs it. */
class LocalApplication {
  public static void main(String[] arguments) {
    SpringApplication.from(WebApplication::main).with(EmbeddedRedis.class).run(arguments);
  }
}
