package io.github.penstock.redisson;

import io.github.penstock.core.spi.KnownPasswords;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.redisson.config.BaseConfig;
import org.redisson.config.ClusterServersConfig;
import org.redisson.config.Config;
import org.redisson.config.MasterSlaveServersConfig;
import org.redisson.config.ReplicatedServersConfig;
import org.redisson.config.SentinelServersConfig;
import org.redisson.config.SingleServerConfig;

/** The passwords in a configuration of Redisson's; what a credentials resolver knows is not. */
final class ConfigPasswords {
  private static final List<Function<Config, BaseConfig<?>>> KINDS =
      List.of(
          Config::useSingleServer,
          Config::useClusterServers,
          Config::useSentinelServers,
          Config::useReplicatedServers,
          Config::useMasterSlaveServers);

  private ConfigPasswords() {}

  /** The passwords of a configuration, also those in its addresses and in a URI. */
  @SuppressWarnings("deprecation")
  static KnownPasswords of(Config config, String uri) {
    BaseConfig<?> servers = servers(config);
    List<@Nullable String> addresses = new ArrayList<>();
    addresses.add(uri);
    String sentinels = null;
    if (servers instanceof SingleServerConfig single) {
      addresses.add(single.getAddress());
    } else if (servers instanceof ClusterServersConfig cluster) {
      addresses.addAll(cluster.getNodeAddresses());
    } else if (servers instanceof SentinelServersConfig sentinel) {
      addresses.addAll(sentinel.getSentinelAddresses());
      sentinels = sentinel.getSentinelPassword();
    } else if (servers instanceof ReplicatedServersConfig replicated) {
      addresses.addAll(replicated.getNodeAddresses());
    } else if (servers instanceof MasterSlaveServersConfig given) {
      addresses.add(given.getMasterAddress());
      addresses.addAll(given.getSlaveAddresses());
    }
    return KnownPasswords.of(addresses.toString())
        .and(servers.getPassword())
        .and(sentinels)
        .and(password(config));
  }

  /* A configuration says for which kind it is only by refusing the others. */
  private static BaseConfig<?> servers(Config config) {
    Config copy = new Config(config);
    IllegalStateException refusal = new IllegalStateException("config must be for some servers");
    for (Function<Config, BaseConfig<?>> kind : KINDS) {
      try {
        return kind.apply(copy);
      } catch (IllegalStateException otherKind) {
        refusal = otherKind;
      }
    }
    throw refusal;
  }

  private static @Nullable String password(Config config) {
    try {
      return (String) Config.class.getMethod("getPassword").invoke(config);
    } catch (ReflectiveOperationException redisson3) {
      return null;
    }
  }
}
