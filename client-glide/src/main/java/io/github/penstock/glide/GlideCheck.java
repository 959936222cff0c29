package io.github.penstock.glide;

import glide.api.GlideClient;
import glide.api.models.Batch;
import glide.api.models.commands.batch.BatchOptions;
import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.TransportFailure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The check on a client of its own, or on the application's, which carries calls, too. */
final class GlideCheck implements CheckConnection {
  /* Core gives a check up before; the client's own time-out may be shorter than a silence. */
  private static final int MILLIS = (int) TimeUnit.MINUTES.toMillis(10);

  private final GlideClient client;
  private final @Nullable LongSupplier heardNanos;
  private volatile @Nullable CompletableFuture<Object[]> asked;

  private GlideCheck(GlideClient client, @Nullable LongSupplier heardNanos) {
    this.client = client;
    this.heardNanos = heardNanos;
  }

  /** On a client that only this uses, and closes. */
  static GlideCheck own(GlideClient client) {
    return new GlideCheck(client, null);
  }

  /**
   * On a client that carries calls.
   *
   * @param heardNanos when a call was last answered
   */
  static GlideCheck shared(GlideClient client, LongSupplier heardNanos) {
    return new GlideCheck(client, heardNanos);
  }

  @Override
  public void write(ScriptCall call) {
    Batch batch = new Batch(false).withBinaryOutput();
    batch.customCommand(GlideTransport.command(call));
    asked = client.exec(batch, true, BatchOptions.builder().timeout(MILLIS).build());
  }

  @Override
  public @Nullable Object read() {
    CompletableFuture<Object[]> question = asked;
    if (question == null) {
      throw new IllegalStateException("nothing was asked");
    }
    try {
      return question.join();
    } catch (CompletionException e) {
      Throwable failure = TransportFailure.unwrapped(e);
      if (GlideFailures.isFull(failure)) {
        throw GlideTransport.late(failure);
      }
      throw failure instanceof RuntimeException known ? known : e;
    }
  }

  @Override
  public boolean carriesCalls() {
    return heardNanos != null;
  }

  @Override
  public long heardNanos() {
    return heardNanos == null ? CheckConnection.super.heardNanos() : heardNanos.getAsLong();
  }

  @Override
  public void close() {
    CompletableFuture<Object[]> question = asked;
    if (question != null) {
      question.cancel(true);
    }
    if (heardNanos == null) {
      OwnGlideClient.close(client);
    }
  }
}
