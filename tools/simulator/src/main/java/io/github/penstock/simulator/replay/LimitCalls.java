package io.github.penstock.simulator.replay;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.protocol.KeyFormat;
import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.args.Rawable;
import redis.clients.jedis.args.RawableFactory;

/** The commands about one limit's keys, in the server's form. Immutable. */
final class LimitCalls {
  private static final Rawable ONE = RawableFactory.from("1");
  private final KeyFormat keys;
  private final Rawable sha1;
  private final List<Rawable> tiers;

  /**
   * Of a limit.
   *
   * @param prefix and policy of its keys
   */
  LimitCalls(Limit limit, String prefix, String policy) {
    LimitEncoding encoding = LimitEncoding.of(limit);
    RateLimiterOptions options = RateLimiterOptions.builder().prefix(prefix).build();
    keys = new KeyFormat(options.keyPrefix(policy), encoding.marker());
    sha1 = ascii(encoding.script().sha1());
    tiers = encoding.arguments().stream().map(LimitCalls::ascii).toList();
  }

  byte[] key(String subject) {
    return keys.key(subject);
  }

  /** Several calls of a request at once. */
  CommandArguments call(TrafficRequest request, long calls) {
    CommandArguments command = new CommandArguments(Command.EVALSHA).add(sha1).add(ONE);
    command.add(keys.key(request.subject()));
    command.add(request.cost() == 1 && calls == 1 ? ONE : ascii(cost(request, calls)));
    tiers.forEach(command::add);
    return command.add(request.timeUs());
  }

  CommandArguments keepAlive(String subject, long millis) {
    return new CommandArguments(Command.PEXPIRE).add(keys.key(subject)).add(millis);
  }

  CommandArguments remove(Collection<String> subjects) {
    CommandArguments command = new CommandArguments(Command.UNLINK);
    subjects.forEach(subject -> command.add(keys.key(subject)));
    return command;
  }

  /** The argument for this number of calls of a request at once. */
  static String cost(TrafficRequest request, long calls) {
    return calls == 1 ? Long.toString(request.cost()) : request.cost() + "*" + calls;
  }

  private static Rawable ascii(String text) {
    return RawableFactory.from(text.getBytes(StandardCharsets.US_ASCII));
  }
}
