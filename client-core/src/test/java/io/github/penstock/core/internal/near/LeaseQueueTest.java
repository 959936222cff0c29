package io.github.penstock.core.internal.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.spi.time.SteppedTime;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LeaseQueueTest {
  private static final long LONG = TimeUnit.MINUTES.toNanos(10);
  private final SteppedTime time = new SteppedTime();
  private final LeaseQueue line = new LeaseQueue(time);
  private int waiting;
  private final BlockingQueue<String> awake = new LinkedBlockingQueue<>();

  @Test
  @DisplayName("L8 one is woken at a time, in turn, and whoever waits again is the first")
  void oneAtATime() throws Exception {
    waiting("first", LONG, false);
    waiting("second", LONG, false);
    waiting("again", LONG, true);
    for (String expected : new String[] {"again", "first", "second"}) {
      line.wakeNext();
      assertThat(awake.take()).isEqualTo(expected + " true");
      assertThat(awake).isEmpty();
    }
  }

  @Test
  @DisplayName("L8 whoever has gone is not woken in place of another")
  void gone() throws Exception {
    Thread interrupted = waiting("interrupted", LONG, false);
    waiting("other", LONG, false);
    interrupted.interrupt();
    assertThat(awake.take()).isEqualTo("interrupted");
    assertThat(line.await(() -> false, time.nanos(), true)).isFalse();
    line.wakeNext();
    assertThat(awake.take()).isEqualTo("other true");
  }

  @Test
  @DisplayName("L8 nobody waits for what has ended")
  void ended() throws Exception {
    assertThat(line.await(() -> true, time.nanos(), false)).isTrue();
    waiting("other", LONG, false);
    line.wakeNext();
    assertThat(awake.take()).isEqualTo("other true");
  }

  private Thread waiting(String name, long nanos, boolean again) throws InterruptedException {
    Thread thread =
        new Thread(
            () -> {
              try {
                awake.add(name + " " + line.await(() -> false, time.nanos() + nanos, again));
              } catch (InterruptedException e) {
                awake.add(name);
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    time.awaitPending(++waiting);
    return thread;
  }
}
