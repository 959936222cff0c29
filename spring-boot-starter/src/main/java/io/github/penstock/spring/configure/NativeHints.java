package io.github.penstock.spring.configure;

import io.github.penstock.core.Usage;
import io.github.penstock.spring.internal.actuate.PenstockEndpoint.ChangedLimit;
import io.github.penstock.spring.internal.actuate.PenstockEndpoint.ChangedSwitch;
import io.github.penstock.spring.internal.actuate.PenstockEndpoint.RefusedChange;
import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Classes that are accessed by name and must be declared to a native image: those that expressions
 * use of a request, those that the clients' adapters look up, and the endpoint's responses.
 */
final class NativeHints implements RuntimeHintsRegistrar {
  private static final List<String> METHODS =
      List.of(
          "jakarta.servlet.ServletRequest",
          "jakarta.servlet.http.HttpServletRequest",
          "org.springframework.web.server.ServerWebExchange",
          "org.springframework.http.HttpRequest",
          "org.springframework.http.ReactiveHttpInputMessage",
          "org.springframework.http.server.reactive.ServerHttpRequest",
          "org.springframework.http.HttpHeaders",
          "org.springframework.util.MultiValueMap",
          "io.lettuce.core.AbstractRedisClient",
          "redis.clients.jedis.RedisClient",
          "redis.clients.jedis.RedisClusterClient",
          "redis.clients.jedis.RedisSentinelClient",
          "redis.clients.jedis.UnifiedJedis",
          "org.redisson.api.RedissonClient",
          "org.redisson.config.Config");
  private static final String REDISSON_QUEUE = "org.redisson.client.handler.CommandsQueue";

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
    ReflectionHints reflection = hints.reflection();
    reflection.registerType(Principal.class, MemberCategory.INVOKE_PUBLIC_METHODS);
    for (String name : METHODS) {
      reflection.registerTypeIfPresent(loader, name, MemberCategory.INVOKE_PUBLIC_METHODS);
    }
    reflection.registerTypeIfPresent(loader, REDISSON_QUEUE, MemberCategory.ACCESS_DECLARED_FIELDS);
    new BindingReflectionHintsRegistrar()
        .registerReflectionHints(
            reflection, Usage.class, ChangedLimit.class, ChangedSwitch.class, RefusedChange.class);
  }
}
