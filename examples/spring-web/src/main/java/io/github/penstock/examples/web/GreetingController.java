package io.github.penstock.examples.web;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What is worth limiting. */
@RestController
class GreetingController {
  @GetMapping("/greeting")
  String greeting() {
    return "hello";
  }
}
