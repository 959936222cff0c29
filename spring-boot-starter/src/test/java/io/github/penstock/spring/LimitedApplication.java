package io.github.penstock.spring;

import io.github.penstock.spring.method.RateLimited;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.Callable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** A service whose requests are limited by properties alone. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(LimitedApplication.AnyController.class)
class LimitedApplication {
  @Bean
  SecurityFilterChain security(HttpSecurity http) throws Exception {
    return http.csrf(csrf -> csrf.disable())
        .httpBasic(Customizer.withDefaults())
        .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
        .build();
  }

  @Bean
  UserDetailsService users() {
    return new InMemoryUserDetailsManager(
        User.withUsername("alice").password("{noop}pass").roles("USER").build());
  }

  /* Lets spellings of paths through that it would refuse. */
  @Bean
  HttpFirewall firewall() {
    StrictHttpFirewall firewall = new StrictHttpFirewall();
    firewall.setAllowSemicolon(true);
    firewall.setAllowUrlEncodedDoubleSlash(true);
    firewall.setAllowUrlEncodedPercent(true);
    return firewall;
  }

  @Bean
  RequestKeys keys() {
    return new RequestKeys();
  }

  static class RequestKeys {
    public String of(HttpServletRequest request) {
      return request.getHeader("X-Api-Key");
    }
  }

  @Bean
  ResponseGate gate() {
    return new ResponseGate();
  }

  @Bean
  RequestCosts costs() {
    return new RequestCosts();
  }

  static class RequestCosts {
    public Object of(HttpServletRequest request) {
      String cost = request.getHeader("X-Cost");
      return cost == null ? "none" : Long.valueOf(cost);
    }
  }

  @Bean
  LimitedService service() {
    return new LimitedService();
  }

  /** Called where no controller is. */
  public static class LimitedService {
    @RateLimited(policy = "methods", subject = "#id")
    public String greet(String id) {
      return "hello";
    }
  }

  @Bean
  RouterFunction<ServerResponse> functions(LimitedService service) {
    return RouterFunctions.route()
        .GET(
            "/functional/{id}",
            request -> ServerResponse.ok().body(service.greet(request.pathVariable("id"))))
        .build();
  }

  /** Paths whose handlers only say hello, on MVC and on WebFlux. */
  @Retention(RetentionPolicy.RUNTIME)
  @RequestMapping({
    "/api/{name}",
    "/users",
    "/expressions",
    "/objects",
    "/plans",
    "/costs",
    "/cost-texts",
    "/skipped",
    "/login",
    "/trial",
    "/crowd",
    "/changed",
    "/switched",
    "/buckets",
    "/changed-plans",
    "/handled/{id}",
    "/leased",
    "/shared",
    "/shared-open",
    "/held-shut",
    "/open",
    "/shut",
    "/thrown"
  })
  @interface GreetingPaths {}

  @RestController
  static class AnyController {
    private final ResponseGate gate;

    AnyController(ResponseGate gate) {
      this.gate = gate;
    }

    @GreetingPaths
    String hello() {
      return "hello";
    }

    @RequestMapping("/crossed")
    @CrossOrigin(origins = "https://app.example", exposedHeaders = "X-Own")
    String crossed() {
      return "hello";
    }

    @RequestMapping("/answers/{status}")
    ResponseEntity<String> answer(@PathVariable int status) {
      return ResponseEntity.status(status).body("answered");
    }

    @RequestMapping("/gated/{status}")
    ResponseEntity<String> gated(@PathVariable int status) {
      gate.pass();
      return ResponseEntity.status(status).body("answered");
    }

    @RequestMapping("/later/{status}")
    Callable<ResponseEntity<String>> answerLater(@PathVariable int status) {
      return () -> ResponseEntity.status(status).body("answered");
    }

    @RequestMapping("/denied-method/{id}")
    @CrossOrigin(origins = "https://app.example", exposedHeaders = "X-Own")
    @RateLimited(policy = "methods", subject = "#id")
    String deniedMethod(@PathVariable String id) {
      return "hello";
    }

    @RequestMapping("/shared-method/{id}/{tenant}")
    @RateLimited(policy = "member-methods", subject = "#id", also = "#tenant")
    String shared(@PathVariable String id, @PathVariable String tenant) {
      return "hello";
    }

    @RequestMapping("/limited/{id}")
    @RateLimited(policy = "methods", subject = "#id")
    String limited(@PathVariable String id) {
      return "hello";
    }

    @RequestMapping("/forwarded/{id}")
    void forward(HttpServletRequest request, HttpServletResponse response, @PathVariable String id)
        throws ServletException, IOException {
      request.getRequestDispatcher("/handled/" + id).forward(request, response);
    }

    @RequestMapping("/changed-method/{id}")
    @RateLimited(policy = "changed-methods", subject = "#id")
    String changed(@PathVariable String id) {
      return "hello";
    }

    @RequestMapping("/broken/{id}")
    String broken() {
      throw new IllegalStateException("broken");
    }

    @RequestMapping("/async/{id}")
    Callable<String> handledLater() {
      return () -> "later";
    }

    @RequestMapping("/async")
    Callable<String> later() {
      return () -> "later";
    }
  }
}
