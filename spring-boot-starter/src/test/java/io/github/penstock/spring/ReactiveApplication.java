package io.github.penstock.spring;

import io.github.penstock.spring.method.RateLimited;
import java.util.List;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.firewall.ServerWebExchangeFirewall;
import org.springframework.security.web.server.firewall.StrictServerWebExchangeFirewall;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The service of {@link LimitedApplication} on WebFlux. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(ReactiveApplication.MonoController.class)
class ReactiveApplication {
  /** Its properties where they differ: an expression is over another request. */
  static final List<String> ARGUMENTS =
      List.of(
          "--spring.main.web-application-type=reactive",
          "--penstock.policies.expressions.subject=#{request.queryParams.getFirst('id').strip()}",
          "--penstock.policies.cost-texts.cost=#{request.queryParams.getFirst('n')}",
          "--penstock.policies.handled.subject=#{getAttribute('org.springframework.web.reactive.HandlerMapping.uriTemplateVariables')['id']}",
          "--penstock.policies.objects.subject=#{request.queryParams}",
          "--penstock.policies.plans.plan=#{request.headers.getFirst('X-Plan')}",
          "--penstock.policies.tenants.plan=#{request.headers.getFirst('X-Plan')}",
          "--penstock.policies.skipped.skip-if=#{request.headers.getFirst('X-Skip').equals('yes')}");

  @Bean
  SecurityWebFilterChain security(ServerHttpSecurity http) {
    return http.csrf(csrf -> csrf.disable())
        .httpBasic(Customizer.withDefaults())
        .authorizeExchange(exchanges -> exchanges.anyExchange().permitAll())
        .build();
  }

  @Bean
  MapReactiveUserDetailsService users() {
    return new MapReactiveUserDetailsService(
        User.withUsername("alice").password("{noop}pass").roles("USER").build());
  }

  /* Lets spellings of paths through that it would refuse. */
  @Bean
  ServerWebExchangeFirewall firewall() {
    StrictServerWebExchangeFirewall firewall = new StrictServerWebExchangeFirewall();
    firewall.setAllowSemicolon(true);
    firewall.setAllowUrlEncodedDoubleSlash(true);
    firewall.setAllowUrlEncodedPercent(true);
    return firewall;
  }

  @Bean
  ExchangeKeys keys() {
    return new ExchangeKeys();
  }

  static class ExchangeKeys {
    public String of(ServerWebExchange request) {
      return request.getRequest().getHeaders().getFirst("X-Api-Key");
    }
  }

  @Bean
  ResponseGate gate() {
    return new ResponseGate();
  }

  @Bean
  ExchangeCosts costs() {
    return new ExchangeCosts();
  }

  static class ExchangeCosts {
    public Object of(ServerWebExchange exchange) {
      String cost = exchange.getRequest().getHeaders().getFirst("X-Cost");
      return cost == null ? "none" : Long.valueOf(cost);
    }
  }

  @Bean
  LimitedApplication.LimitedService service() {
    return new LimitedApplication.LimitedService();
  }

  @Bean
  RouterFunction<ServerResponse> functions(LimitedApplication.LimitedService service) {
    return RouterFunctions.route()
        .GET(
            "/functional/{id}",
            request -> ServerResponse.ok().bodyValue(service.greet(request.pathVariable("id"))))
        .build();
  }

  @RestController
  static class MonoController {
    private final ResponseGate gate;

    MonoController(ResponseGate gate) {
      this.gate = gate;
    }

    @LimitedApplication.GreetingPaths
    Mono<String> hello() {
      return Mono.just("hello");
    }

    @RequestMapping("/crossed")
    @CrossOrigin(origins = "https://app.example", exposedHeaders = "X-Own")
    Mono<String> crossed() {
      return Mono.just("hello");
    }

    @RequestMapping("/answers/{status}")
    Mono<ResponseEntity<String>> answer(@PathVariable int status) {
      return Mono.just(ResponseEntity.status(status).body("answered"));
    }

    @RequestMapping("/gated/{status}")
    Mono<ResponseEntity<String>> gated(@PathVariable int status) {
      return Mono.fromRunnable(gate::pass)
          .subscribeOn(Schedulers.boundedElastic())
          .thenReturn(ResponseEntity.status(status).body("answered"));
    }

    @RequestMapping("/later/{status}")
    Mono<ResponseEntity<String>> answerLater(@PathVariable int status) {
      return Mono.fromCallable(() -> ResponseEntity.status(status).body("answered"));
    }

    @RequestMapping("/denied-method/{id}")
    @CrossOrigin(origins = "https://app.example", exposedHeaders = "X-Own")
    @RateLimited(policy = "methods", subject = "#id")
    Mono<String> deniedMethod(@PathVariable String id) {
      return Mono.just("hello");
    }

    @RequestMapping("/shared-method/{id}/{tenant}")
    @RateLimited(policy = "member-methods", subject = "#id", also = "#tenant")
    Mono<String> shared(@PathVariable String id, @PathVariable String tenant) {
      return Mono.just("hello");
    }

    @RequestMapping("/limited/{id}")
    @RateLimited(policy = "methods", subject = "#id")
    Mono<String> limited(@PathVariable String id) {
      return Mono.just("hello");
    }

    @RequestMapping("/changed-method/{id}")
    @RateLimited(policy = "changed-methods", subject = "#id")
    Mono<String> changed(@PathVariable String id) {
      return Mono.just("hello");
    }

    @RequestMapping("/broken/{id}")
    Mono<String> broken() {
      return Mono.error(new IllegalStateException("broken"));
    }

    @RequestMapping("/async/{id}")
    Mono<String> handledLater() {
      return Mono.fromCallable(() -> "later");
    }

    @RequestMapping("/async")
    Mono<String> later() {
      return Mono.fromCallable(() -> "later");
    }

    @RequestMapping("/threads")
    Mono<String> threads() {
      return Mono.fromCallable(() -> Thread.currentThread().getName());
    }
  }
}
