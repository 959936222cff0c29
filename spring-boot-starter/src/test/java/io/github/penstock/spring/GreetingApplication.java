package io.github.penstock.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** A service without policies of its own, on the client that a test names. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class GreetingApplication {
  @Bean
  SecurityFilterChain security(HttpSecurity http) throws Exception {
    return http.csrf(csrf -> csrf.disable())
        .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
        .build();
  }

  @RestController
  static class GreetingController {
    final AtomicInteger greeted = new AtomicInteger();

    @RequestMapping("/**")
    String greet() {
      greeted.incrementAndGet();
      return "hello";
    }
  }

  /** Starts it with one policy of all requests, unless the arguments say otherwise. */
  static ConfigurableApplicationContext start(String client, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--spring.config.name=none",
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--penstock.client=" + client));
    boolean typed = List.of(more).stream().anyMatch(argument -> argument.contains("client-type"));
    if (client.equals("jedis") && !typed) {
      arguments.add("--spring.data.redis.client-type=jedis");
    }
    arguments.addAll(List.of(more));
    SpringApplicationBuilder application =
        client.equals("redisson")
            ? new SpringApplicationBuilder(
                GreetingApplication.class, ClientDiscoveryTest.RedissonBean.class)
            : new SpringApplicationBuilder(GreetingApplication.class);
    return application.run(arguments.toArray(String[]::new));
  }

  /** Calls a service that was started so. */
  static HttpCaller caller(ConfigurableApplicationContext context) {
    return new HttpCaller(context.getEnvironment().getProperty("local.server.port", int.class, 0));
  }
}
