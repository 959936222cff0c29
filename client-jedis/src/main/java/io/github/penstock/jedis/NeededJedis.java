package io.github.penstock.jedis;

import io.github.penstock.core.spi.connecting.ClientVersion;
import io.github.penstock.core.spi.connecting.ServerUri;
import redis.clients.jedis.UnifiedJedis;

/** Methods that older versions of Jedis lack, by their use. */
enum NeededJedis {
  SINGLE("redis.clients.jedis.RedisClient"),
  CLUSTER("redis.clients.jedis.RedisClusterClient#refreshClusterTopology"),
  SENTINEL("redis.clients.jedis.RedisSentinelClient#getPrimaryNodesConnectionMap");

  private final String need;

  NeededJedis(String need) {
    this.need = need;
  }

  static NeededJedis of(ServerUri uri) {
    if (uri instanceof ServerUri.Cluster) {
      return CLUSTER;
    }
    return uri instanceof ServerUri.Sentinel ? SENTINEL : SINGLE;
  }

  /**
   * Checks the Jedis on the class path.
   *
   * @throws IllegalStateException if it is too old; the message contains the remedy
   */
  void require() {
    String setting = "<jedis.version>8.0.2</jedis.version> (Spring Boot manages an older one)";
    ClientVersion.require("Jedis 8.0.0", setting, UnifiedJedis.class, need);
  }
}
