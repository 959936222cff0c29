package io.github.penstock.spring.packaged;

import io.github.penstock.spring.method.RateLimited;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A service with nothing of Penstock's but an annotation; its limits are in packaged.yaml. */
@SpringBootApplication(proxyBeanMethods = false)
public class PackagedApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(PackagedApplication.class, arguments);
  }

  /** Its only controller. */
  @RestController
  public static class GreetingController {
    @GetMapping({"/api", "/open", "/shut", "/handled/{id}"})
    String greet() {
      return "hello";
    }

    @GetMapping("/methods/{id}")
    @RateLimited(policy = "methods", subject = "#id")
    String limited(@PathVariable String id) {
      return "hello";
    }
  }
}
