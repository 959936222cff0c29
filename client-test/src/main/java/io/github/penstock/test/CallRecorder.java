package io.github.penstock.test;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.Usage;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Keeps every call. */
final class CallRecorder implements RateLimitListener {
  private final List<RecordedCall> calls = new CopyOnWriteArrayList<>();

  List<RecordedCall> calls() {
    return List.copyOf(calls);
  }

  void clear() {
    calls.clear();
  }

  @Override
  public void onDecision(
      LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause) {
    calls.add(new RecordedCall(call, acquired.units(), acquired.decision(), cause));
  }

  @Override
  public void onUsage(LimiterCall call, Usage usage) {
    calls.add(new RecordedCall(call, 0, null, null));
  }

  @Override
  public void onFailure(LimiterCall call, RuntimeException failure) {
    calls.add(new RecordedCall(call, 0, null, failure));
  }
}
