package io.github.penstock.benchmarks.limiter;

import io.github.penstock.core.internal.protocol.LimitEncoding;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A script that is sent by the client's own means, one set of keys for each subject. Safe for use
 * by several threads.
 */
public final class RawScript {
  private static final byte[][] ONE_TIER =
      encoded(
          Stream.concat(
                  Stream.of("1"),
                  LimitEncoding.of(PenstockAlgorithm.TOKEN_BUCKET.generous(1)).arguments().stream())
              .toList());
  private final RawClient client;
  private final String sha1;
  private final byte[][][] keys;

  /** A script, with the names of the keys of each of the workload's subjects. */
  RawScript(
      String source, RawClient client, SubjectWorkload workload, IntFunction<List<String>> names) {
    this.client = client;
    sha1 = client.load(source);
    keys = new byte[workload.subjects()][][];
    Arrays.setAll(keys, subject -> encoded(names.apply(subject)));
  }

  /** A floor's, with names as long as a decision's. */
  public static RawScript of(
      FloorCall floor, ClientSession session, BenchmarkTarget target, SubjectWorkload workload) {
    String end = ":" + LimitEncoding.of(PenstockAlgorithm.TOKEN_BUCKET.generous(1)).marker();
    return new RawScript(
        floor.source(), session.raw(), workload, i -> List.of(target.key("floor", i) + end));
  }

  @Nullable Object call(int subject, byte[][] arguments) {
    return client.evalsha(sha1, keys[subject], arguments);
  }

  /** One call with the arguments of a decision; true, so that it decides as a limiter does. */
  boolean send(int subject) {
    return call(subject, ONE_TIER) != null;
  }

  /** One call without waiting for its answer. */
  public CompletionStage<?> begin(int subject) {
    return client.evalshaAsync(sha1, keys[subject], ONE_TIER);
  }

  /** One call for each of the next subjects, sent together; true, once all are answered. */
  public boolean sendAll(SubjectSequence sequence, int size) {
    List<byte[][]> together = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      together.add(keys[sequence.next()]);
    }
    client.evalshaAll(sha1, together, ONE_TIER);
    return true;
  }

  static byte[][] encoded(List<String> words) {
    return words.stream().map(word -> word.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
  }
}
