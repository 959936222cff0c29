package io.github.penstock.core.internal;

import io.github.penstock.core.Decision;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.Usage;
import io.github.penstock.core.spi.Reply;
import io.github.penstock.core.spi.ScriptCall;
import java.util.Collection;
import java.util.List;

/** The limiter over a blocking port. */
public final class BlockingRateLimiter implements RateLimiter {
  private final Policy policy;
  private final BlockingCalls calls;
  private final Reading<Decision> decisions;
  private final Reading<Usage> usages;

  /** Limits {@code policy}. */
  public BlockingRateLimiter(Policy policy, BlockingCalls calls) {
    this.policy = policy;
    this.calls = calls;
    decisions = policy.decisions();
    usages = policy.usages();
  }

  @Override
  public Decision tryAcquire(String subject, long cost) {
    return calls.call(policy.charge(subject, cost), decisions);
  }

  @Override
  public List<Outcome> tryAcquireAll(Collection<String> subjects) {
    Batch batch = new Batch(policy, subjects);
    List<Reply> replies = calls.callAll(batch.calls());
    for (int i = 0; i < replies.size(); i++) {
      ScriptCall call = batch.calls().get(i);
      Reply reply = replies.get(i);
      batch.settle(i, () -> calls.read(call, reply, decisions));
    }
    return batch.outcomes();
  }

  @Override
  public Usage peek(String subject) {
    return calls.call(policy.look(subject), usages);
  }

  @Override
  public Usage refund(String subject, long units) {
    return calls.call(policy.refund(subject, units), usages);
  }
}
