package io.github.penstock.local;

import io.github.penstock.core.spi.LocalDecider;
import java.util.function.LongSupplier;

/** Makes what decides in an outage; the {@link java.util.ServiceLoader} finds it. */
public final class ShareFactory implements LocalDecider.Factory {
  @Override
  public LocalDecider create(LongSupplier nanos) {
    return new ShareTable(nanos);
  }
}
