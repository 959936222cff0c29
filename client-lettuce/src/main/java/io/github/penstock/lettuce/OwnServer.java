package io.github.penstock.lettuce;

import io.github.penstock.core.spi.connecting.ClientTransport;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the connection to a primary, and another one once that is lost or dropped, or there is
 * another primary. The address is resolved again each time, and calls receive any failure.
 *
 * <p>Lettuce's own reconnecting hides why it fails, and keeps the old address while no sentinel
 * answers. For one thread at a time, except for {@link #drop}.
 */
final class OwnServer implements Supplier<ClientTransport> {
  /** Finds the primary: returns its current address, and may query it. */
  interface PrimaryAddress extends Supplier<RedisURI> {
    /** Returns whether there is another primary than the one that was returned last. */
    default boolean hasMoved() {
      return false;
    }
  }

  private final BoundedClients clients;
  private final RedisClient client;
  private final PrimaryAddress address;
  private final CheckClient checks;
  private final Supplier<@Nullable ConnectionTransport> replicas;
  private @Nullable StatefulRedisConnection<byte[], byte[]> latest;
  private @Nullable ConnectionTransport peeks;
  private volatile boolean dropped;

  /**
   * A primary that is not connected yet.
   *
   * @param client a client that does not reconnect on its own
   * @param checks opens connections for the check
   * @param replicas connects to the target of peeks, or returns null for the primary
   */
  OwnServer(
      BoundedClients clients,
      RedisClient client,
      PrimaryAddress address,
      CheckClient checks,
      Supplier<@Nullable ConnectionTransport> replicas) {
    this.clients = clients;
    this.client = client;
    this.address = address;
    this.checks = checks;
    this.replicas = replicas;
  }

  @Override
  public ClientTransport get() {
    if (peeks == null) {
      peeks = replicas.get();
    }
    RedisURI primary = address.get();
    StatefulRedisConnection<byte[], byte[]> made =
        clients.made(client.connectAsync(ByteArrayCodec.INSTANCE, primary));
    if (latest != null) {
      latest.closeAsync();
    }
    latest = made;
    dropped = false;
    return new ClientTransport(
        ConnectionTransport.own(made, peeks, this::drop, () -> checks.open(primary)),
        () -> made.isOpen() && !dropped && !address.hasMoved(),
        () -> BoundedClients.close(made));
  }

  /* It is closed once there is another one, so that its calls may be answered. */
  private void drop() {
    dropped = true;
  }
}
