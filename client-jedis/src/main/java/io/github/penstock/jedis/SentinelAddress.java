package io.github.penstock.jedis;

import java.util.List;
import java.util.Set;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The address of a primary, as reported by sentinels. Jedis also queries them, but does not report
 * their answers, and learns of a later address only while its subscriptions live.
 */
record SentinelAddress(String masterName, Set<HostAndPort> sentinels, JedisClientConfig config) {
  /**
   * Queries until one answers.
   *
   * @throws JedisException with the answer of each of them, if none of them knows
   */
  HostAndPort ask() {
    JedisException none =
        new JedisConnectionException("no sentinel told where " + masterName + " is");
    for (HostAndPort sentinel : sentinels) {
      try (Jedis jedis = new Jedis(sentinel, config)) {
        List<String> address = jedis.sentinelGetMasterAddrByName(masterName);
        if (address != null) {
          return new HostAndPort(address.get(0), Integer.parseInt(address.get(1)));
        }
        none.addSuppressed(
            new JedisDataException("ERR No such master with that name: " + masterName));
      } catch (JedisException e) {
        none.addSuppressed(e);
      }
    }
    throw none;
  }
}
