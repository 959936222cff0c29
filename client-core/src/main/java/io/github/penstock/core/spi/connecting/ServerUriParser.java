package io.github.penstock.core.spi.connecting;

import io.github.penstock.core.spi.connecting.ServerUri.Credentials;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one {@link ServerUri}; no message repeats any of it, because it may hold a password. */
final class ServerUriParser {
  private static final int SERVER_PORT = 6379;
  private static final int SENTINEL_PORT = 26379;
  private static final String SINGLE = "redis://[[user]:password@]host[:port][/database]";
  private static final String CLUSTER =
      "redis-cluster://[[user]:password@]host[:port][,host[:port]...]";
  private static final String SENTINEL =
      "redis-sentinel://[[user]:password@]host[:port][,host[:port]...][/database]#master";
  private static final Pattern PARTS =
      Pattern.compile(
          "redis(?<tls>s?)(?<kind>|-cluster|-sentinel)://"
              + "(?:(?<user>[^/?#]*)@)?(?<hosts>[^/?#@]*)"
              + "(?:/(?<database>[^?#]*))?(?:\\?(?<query>[^#]*))?(?:#(?<master>.*))?",
          Pattern.DOTALL);
  private static final Pattern HOST =
      Pattern.compile("(?:\\[(?<six>[0-9A-Za-z.%]*:[0-9A-Za-z.:%]*)]|(?<name>[^\\s:\\[\\]%]+))");
  private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");
  private static final Pattern DATABASE = Pattern.compile("[0-9]{0,6}");

  private final Matcher parts;
  private final String form;

  ServerUriParser(String uri) {
    parts = PARTS.matcher(uri);
    if (!parts.matches()) {
      throw invalid(SINGLE + ", " + CLUSTER + " or " + SENTINEL, "it begins with none of them");
    }
    form =
        switch (parts.group("kind")) {
          case "-cluster" -> CLUSTER;
          case "-sentinel" -> SENTINEL;
          default -> SINGLE;
        };
    require(uri.chars().allMatch(c -> c > ' '), "it has white space");
  }

  ServerUri parse() {
    boolean tls = !parts.group("tls").isEmpty();
    Credentials credentials = credentials();
    List<InetSocketAddress> hosts = hosts(form.equals(SENTINEL) ? SENTINEL_PORT : SERVER_PORT);
    Integer database = database();
    if (form.equals(SENTINEL)) {
      require(!part("master").contains("?"), "parameters must come before the #");
      String master = decoded(part("master"));
      require(!master.isEmpty(), "the master's name is missing");
      return new ServerUri.Sentinel(tls, hosts, credentials, database, master, ofSentinels());
    }
    require(parts.group("master") == null, "only Sentinel has a master's name");
    require(parts.group("query") == null, "it has parameters, which only Sentinel has");
    if (form.equals(CLUSTER)) {
      require(database == null || database == 0, "a cluster has no database but 0");
      return new ServerUri.Cluster(tls, hosts, credentials);
    }
    require(hosts.size() == 1, "several hosts need redis-cluster:// or redis-sentinel://");
    return new ServerUri.Single(tls, hosts.get(0), credentials, database);
  }

  private @Nullable Credentials credentials() {
    String text = parts.group("user");
    if (text == null) {
      require(!part("database").contains("@"), "a / before the @ is not percent-encoded");
      return null;
    }
    int colon = text.indexOf(':');
    require(colon >= 0, "user:password or :password must come before the @");
    return credentials(text.substring(0, colon), text.substring(colon + 1));
  }

  private @Nullable Credentials ofSentinels() {
    String query = part("query");
    String user = "";
    String password = "";
    for (String parameter : query.isEmpty() ? new String[0] : query.split("&", -1)) {
      if (parameter.startsWith("sentinelUser=")) {
        user = parameter.substring("sentinelUser=".length());
      } else if (parameter.startsWith("sentinelPassword=")) {
        password = parameter.substring("sentinelPassword=".length());
      } else {
        throw invalid(form, "it has parameters other than sentinelUser and sentinelPassword");
      }
    }
    return query.isEmpty() ? null : credentials(user, password);
  }

  private Credentials credentials(String user, String password) {
    require(!password.isEmpty(), "the password is empty");
    return new Credentials(user.isEmpty() ? null : decoded(user), decoded(password));
  }

  private List<InetSocketAddress> hosts(int defaultPort) {
    List<InetSocketAddress> hosts = new ArrayList<>();
    for (String text : parts.group("hosts").split(",", -1)) {
      int colon = text.lastIndexOf(':');
      boolean hasPort = colon > text.lastIndexOf(']');
      Matcher host = HOST.matcher(hasPort ? text.substring(0, colon) : text);
      require(host.matches(), "a host is missing or invalid");
      String six = host.group("six");
      int port = hasPort ? port(text.substring(colon + 1)) : defaultPort;
      hosts.add(InetSocketAddress.createUnresolved(six == null ? host.group("name") : six, port));
    }
    return List.copyOf(hosts);
  }

  private int port(String text) {
    int port = PORT.matcher(text).matches() ? Integer.parseInt(text) : 0;
    require(port > 0 && port < 65_536, "a port is not from 1 to 65535");
    return port;
  }

  private @Nullable Integer database() {
    String text = part("database");
    require(DATABASE.matcher(text).matches(), "the database is not a number from 0 to 999999");
    return text.isEmpty() ? null : Integer.valueOf(text);
  }

  private String part(String name) {
    String text = parts.group(name);
    return text == null ? "" : text;
  }

  /* A plus is a plus here, and not the space that it is in a form. */
  private String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw invalid(form, "a % is not followed by two hexadecimal digits");
    }
  }

  private void require(boolean condition, String otherwise) {
    if (!condition) {
      throw invalid(form, otherwise);
    }
  }

  private static IllegalArgumentException invalid(String form, String why) {
    return new IllegalArgumentException("uri must be " + form + ", rediss for TLS: " + why);
  }
}
