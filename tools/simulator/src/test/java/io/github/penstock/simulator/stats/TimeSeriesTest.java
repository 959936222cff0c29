package io.github.penstock.simulator.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.simulator.stats.TimeSeries.Kind;
import io.github.penstock.simulator.traffic.TrafficScenario;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class TimeSeriesTest {
  private static final long BEGIN = TrafficScenario.BEGIN_US;
  private static final long TEN_YEARS_US = 315_576_000_000_000L;

  @Property
  void everySlotCountsWhatLiesInItHoweverLongItTook(
      @ForAll @Size(min = 1, max = 50) List<@LongRange(min = 0, max = TEN_YEARS_US) Long> offsets) {
    TimeSeries series = new TimeSeries();
    series.add(Kind.ASKED, BEGIN, 1);
    for (long offset : offsets) {
      series.add(Kind.PASSED, BEGIN + offset, 3);
    }
    long[] counts = series.counts(Kind.PASSED);
    for (int slot = 0; slot < counts.length; slot++) {
      long from = slot * series.widthUs();
      long in = offsets.stream().filter(o -> o >= from && o < from + series.widthUs()).count();
      assertThat(counts[slot]).isEqualTo(3 * in);
    }
    assertThat(Arrays.stream(counts).sum()).isEqualTo(3L * offsets.size());
    assertThat(series.size()).isLessThanOrEqualTo(TimeSeries.MOST);
  }
}
