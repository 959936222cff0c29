package io.github.penstock.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Until when event loops have read. */
class EventLoopWatchTest {
  private static final Duration LONG = Duration.ofHours(1);

  @Test
  @DisplayName("where no event loop is known, all is read")
  void unknown() {
    EventLoopWatch loops = new EventLoopWatch(LONG);
    loops.writing(null);
    assertThat(loops.hasRead(System.nanoTime())).isTrue();
    assertThat(loops.isBehind()).isFalse();
  }

  @Test
  @DisplayName("what came is read once each loop has had a round after it")
  void reads() throws Exception {
    try (StalledLoop one = new StalledLoop();
        StalledLoop other = new StalledLoop()) {
      one.stall();
      other.stall();
      EventLoopWatch loops = new EventLoopWatch(LONG);
      loops.writing(one.executor());
      loops.writing(other.executor());
      long came = System.nanoTime();
      assertThat(loops.hasRead(came)).isFalse();
      one.release();
      assertThat(loops.hasRead(came)).as("the other has not read").isFalse();
      other.release();
      assertThat(loops.hasRead(came)).isTrue();
      assertThat(loops.isBehind()).isFalse();
      assertThat(loops.hasRead(System.nanoTime())).as("what came later").isFalse();
    }
  }

  @Test
  @DisplayName("loops that take too long are behind until they have read")
  void behind() throws Exception {
    try (StalledLoop loop = new StalledLoop()) {
      loop.stall();
      EventLoopWatch loops = new EventLoopWatch(Duration.ZERO);
      loops.writing(loop.executor());
      loops.hasRead(System.nanoTime());
      assertThat(loops.isBehind()).isTrue();
      assertThat(loops.hasRead(System.nanoTime())).as("nobody waits for it").isTrue();
      loop.release();
      assertThat(loops.isBehind()).isFalse();
    }
  }

  @Test
  @DisplayName("a loop that was shut down is not waited for")
  void shutDown() throws Exception {
    try (StalledLoop loop = new StalledLoop()) {
      loop.stall();
      EventLoopWatch loops = new EventLoopWatch(Duration.ZERO);
      loops.writing(loop.executor());
      loops.hasRead(System.nanoTime());
      loop.executor().shutdownNow();
      assertThat(loops.isBehind()).isFalse();
      loops.writing(loop.executor());
      assertThat(loops.hasRead(System.nanoTime())).as("it takes no look").isFalse();
      assertThat(loops.hasRead(System.nanoTime())).as("and is forgotten").isTrue();
    }
  }
}
