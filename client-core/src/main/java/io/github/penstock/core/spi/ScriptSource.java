package io.github.penstock.core.spi;

/**
 * An adapter's limiters whose scripts can be run directly: what a test suite asks of an adapter.
 * Separate from {@link io.github.penstock.core.RateLimiters}, because an application has no use for
 * it.
 */
public interface ScriptSource {
  /** The scripts behind this adapter's port. */
  ScriptRunner scripts();
}
