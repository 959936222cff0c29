package io.github.penstock.benchmarks.plan;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.GatewayScript;
import io.github.penstock.benchmarks.limiter.LimiterType;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.scripts.FunctionsLibrary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A call of a script that is measured alone, without a limiter.
 *
 * @param candidate the algorithm, floor or peer
 * @param form in which form it is called
 * @param tiers how many tiers the limit has
 * @param allowed whether its calls are allowed, once each key was called once
 * @param source the script, or the library that the function is in
 * @param keySuffixes the suffixes of its keys, one key each
 * @param arguments the words after the keys
 */
public record ScriptCase(
    BenchmarkCandidate candidate,
    Form form,
    int tiers,
    boolean allowed,
    String source,
    List<String> keySuffixes,
    List<String> arguments) {

  public enum Form {
    /** Minified as it ships, by EVALSHA. */
    SHIPPED,
    /** As it is read, by EVALSHA. */
    READABLE,
    /** The function in the library, by FCALL. */
    FUNCTION,
    /** The only one of a floor or a peer, by EVALSHA. */
    OTHER;

    /** One word, empty where there is only one. */
    public String title() {
      return this == OTHER ? "" : name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Everything that a bench measures.
   *
   * @param functions whether the server knows functions
   */
  public static List<ScriptCase> all(boolean functions) {
    List<ScriptCase> calls = new ArrayList<>();
    calls.add(floor(FloorCall.EMPTY_SCRIPT));
    calls.add(floor(FloorCall.SAME_COMMANDS));
    calls.add(floor(FloorCall.SAME_COMMANDS_DENIED));
    for (PenstockAlgorithm algorithm : PenstockAlgorithm.all()) {
      for (boolean allowed : new boolean[] {true, false}) {
        for (int tiers : new int[] {1, 2, 3, 5}) {
          calls.add(of(algorithm, Form.SHIPPED, tiers, allowed));
        }
        calls.add(of(algorithm, Form.READABLE, 1, allowed));
        if (functions) {
          calls.add(of(algorithm, Form.FUNCTION, 1, allowed));
        }
      }
    }
    calls.add(gateway(true));
    calls.add(gateway(false));
    return calls;
  }

  /** A floor, with the key and the arguments of a decision. */
  public static ScriptCase floor(FloorCall floor) {
    Limit limit = PenstockAlgorithm.TOKEN_BUCKET.generous(1);
    boolean allowed = floor != FloorCall.SAME_COMMANDS_DENIED;
    return new ScriptCase(
        floor, Form.OTHER, 1, allowed, floor.source(), List.of(""), charge(limit));
  }

  public static ScriptCase of(PenstockAlgorithm algorithm, Form form, int tiers, boolean allowed) {
    Limit limit = allowed ? algorithm.generous(tiers) : algorithm.exhausted(tiers);
    return of(algorithm, form, limit, tiers, allowed);
  }

  /** An algorithm, under one tier whose state has a remainder. */
  public static ScriptCase uneven(PenstockAlgorithm algorithm, Form form) {
    return of(algorithm, form, algorithm.uneven(), 1, true);
  }

  private static ScriptCase of(
      PenstockAlgorithm algorithm, Form form, Limit limit, int tiers, boolean allowed) {
    String source =
        switch (form) {
          case SHIPPED, OTHER -> algorithm.script().source();
          case READABLE -> algorithm.script().readableSource();
          case FUNCTION -> FunctionsLibrary.SOURCE;
        };
    return new ScriptCase(algorithm, form, tiers, allowed, source, List.of(""), charge(limit));
  }

  private static ScriptCase gateway(boolean allowed) {
    return new ScriptCase(
        LimiterType.SPRING_GATEWAY,
        Form.OTHER,
        1,
        allowed,
        GatewayScript.source(),
        List.of(".tokens", ".timestamp"),
        allowed ? GatewayScript.generous() : GatewayScript.exhausted());
  }

  private static List<String> charge(Limit limit) {
    List<String> arguments = new ArrayList<>(List.of("1"));
    arguments.addAll(LimitEncoding.of(limit).arguments());
    return List.copyOf(arguments);
  }

  /** Returns whether it is one of those, which says nothing about tiers and outcome. */
  public boolean is(BenchmarkCandidate other, Form inForm) {
    return candidate == other && form == inForm;
  }

  /** The answer to its calls, and whether the state has a remainder. */
  public String outcome() {
    boolean remainder =
        candidate instanceof PenstockAlgorithm algorithm && equals(uneven(algorithm, form));
    return (allowed ? "allowed" : "denied") + (remainder ? ", with remainder" : "");
  }

  /** Returns whether it answers the same to every call. */
  public boolean isFloor() {
    return candidate instanceof FloorCall;
  }
}
