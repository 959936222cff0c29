package io.github.penstock.local;

import io.github.penstock.core.near.TimeSource;
import io.github.penstock.core.spi.LocalDecider;

/** Makes what decides in an outage; the {@link java.util.ServiceLoader} finds it. */
public final class ShareFactory implements LocalDecider.Factory {
  @Override
  public LocalDecider create() {
    return new ShareTable(TimeSource.SYSTEM);
  }
}
