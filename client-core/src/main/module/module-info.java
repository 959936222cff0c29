/** The limiters, without a client. Applications use what is not of {@code core.spi}. */
module io.github.penstock.core {
  requires static transitive org.jspecify;
  requires transitive io.github.penstock.scripts;

  exports io.github.penstock.core;
  exports io.github.penstock.core.http;
  exports io.github.penstock.core.limit;
  exports io.github.penstock.core.reserve;
  exports io.github.penstock.core.spi;
  exports io.github.penstock.core.spi.adapter;
  exports io.github.penstock.core.spi.connecting;
  exports io.github.penstock.core.spi.time;
  exports io.github.penstock.core.internal.engine to
      io.github.penstock.compat;
  exports io.github.penstock.core.internal.failure to
      io.github.penstock.compat;
  exports io.github.penstock.core.internal.near to
      io.github.penstock.local;
  exports io.github.penstock.core.internal.notice to
      io.github.penstock.local;
  exports io.github.penstock.core.internal.plan to
      io.github.penstock.compat,
      io.github.penstock.local;
  exports io.github.penstock.core.internal.protocol to
      io.github.penstock.compat,
      io.github.penstock.local;
  exports io.github.penstock.core.internal.waiting to
      io.github.penstock.local;

  uses io.github.penstock.core.internal.near.LocalDecider.Factory;
}
