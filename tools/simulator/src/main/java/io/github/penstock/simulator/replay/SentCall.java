package io.github.penstock.simulator.replay;

import io.github.penstock.simulator.model.ModelReply;
import io.github.penstock.simulator.model.ScriptRefusal;
import io.github.penstock.simulator.traffic.TrafficRequest;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * A call that a server must answer as the model did.
 *
 * @param task whose decision it is
 * @param number of that decision, among those of its task
 * @param limit whose script decides
 * @param calls how many at once
 * @param exact the model's answer
 */
record SentCall(
    LimitTask task,
    long number,
    LimitReplay limit,
    TrafficRequest request,
    long calls,
    ModelReply exact)
    implements ServerCommand {

  @Override
  public CommandArguments arguments() {
    return limit.calls().call(request, calls);
  }

  @Override
  public void answered(@Nullable Object answer) {
    if (exact.is(answer)) {
      return;
    }
    String said = String.valueOf(answer);
    if (answer instanceof JedisDataException refused) {
      said = ScriptRefusal.text(refused);
    }
    task.failIfItStoodStill();
    throw new ModelMismatchException(
        number,
        limit.candidate(),
        request,
        LimitCalls.cost(request, calls),
        said,
        exact.integers());
  }
}
