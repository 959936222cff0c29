package io.github.penstock.examples.web;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The service that is limited. */
@RestController
class GreetingController {
  @GetMapping("/greeting")
  String greeting() {
    return "hello";
  }
}
