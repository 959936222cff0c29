package io.github.penstock.spring.internal.request;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.http.server.PathContainer;
import org.springframework.web.server.ServerWebExchange;

/** Reads exchanges of WebFlux; the authenticated user is an attribute that the filter has set. */
public final class ExchangeReader implements RequestReader<ServerWebExchange> {
  static final String USER = ExchangeReader.class.getName() + ".USER";

  @Override
  public List<PathContainer> paths(ServerWebExchange exchange) {
    return List.of(exchange.getRequest().getPath().pathWithinApplication());
  }

  /** Excludes those of Actuator on a separate port, which has the application's filters. */
  @Override
  public boolean isLimited(ServerWebExchange exchange) {
    return !WebServerApplicationContext.hasServerNamespace(
        exchange.getApplicationContext(), "management");
  }

  @Override
  public @Nullable String address(ServerWebExchange exchange) {
    InetSocketAddress remote = exchange.getRequest().getRemoteAddress();
    if (remote == null) {
      return null;
    }
    InetAddress address = remote.getAddress();
    return address == null
        ? remote.getHostString().replaceAll("^\\[|]$", "")
        : address.getHostAddress();
  }

  @Override
  public @Nullable String user(ServerWebExchange exchange) {
    return exchange.getAttribute(USER);
  }

  @Override
  public @Nullable String header(ServerWebExchange exchange, String name) {
    List<String> values = exchange.getRequest().getHeaders().get(name);
    return values == null ? null : String.join(", ", values);
  }

  @Override
  public String method(ServerWebExchange exchange) {
    return exchange.getRequest().getMethod().name();
  }
}
