package io.github.penstock.benchmarks.limiter;

import io.github.penstock.scripts.LuaScript;

/** The least that a call can be: raw, through the client's own API. */
public enum FloorCall implements BenchmarkCandidate {
  /** PING: a round trip. */
  PING("PING", ""),
  /** A script that does nothing, with the key and the arguments of a decision. */
  EMPTY_SCRIPT("empty script", "return 1"),
  /** The server commands of an allowed call, with constant arguments, answering six integers. */
  SAME_COMMANDS(
      "same commands",
      "redis.call(\"TIME\") redis.call(\"GET\",KEYS[1])"
          + " redis.call(\"SET\",KEYS[1],\"1763712000000000\",\"PX\",\"100000\")"
          + " return {1,100,99,0,100000,1}"),
  /** The server commands of a denied call, answering six integers. */
  SAME_COMMANDS_DENIED(
      "same commands, denied",
      "redis.call(\"TIME\") redis.call(\"GET\",KEYS[1]) return {0,100,0,100000,100000,1}"),
  /** The token bucket's own script: any further cost of an adapter's decision is the adapter's. */
  TOKEN_BUCKET("token-bucket, sent raw", LuaScript.TOKEN_BUCKET.source()),
  /**
   * {@link #SAME_COMMANDS} allowed and denied alternately, as {@link SubjectWorkload#MIXED} has it.
   */
  SAME_COMMANDS_MIXED("same commands, mixed", "") {
    @Override
    public LimiterUnderTest on(
        ClientSession session, BenchmarkTarget target, SubjectWorkload workload) {
      LimiterUnderTest allowed = SAME_COMMANDS.on(session, target, workload);
      LimiterUnderTest denied = SAME_COMMANDS_DENIED.on(session, target, workload);
      return subject -> (workload.denied(subject) ? denied : allowed).decide(subject);
    }
  };

  private final String title;
  private final String source;

  FloorCall(String title, String source) {
    this.title = title;
    this.source = source;
  }

  @Override
  public String title() {
    return title;
  }

  /** Its script, empty if it is none. */
  public String source() {
    return source;
  }

  /** The server commands of an allowed or of a denied call. */
  public static FloorCall sameCommands(boolean allowed) {
    return allowed ? SAME_COMMANDS : SAME_COMMANDS_DENIED;
  }

  /** Which of them is the floor of a workload's decisions. */
  public static FloorCall of(SubjectWorkload workload) {
    return switch (workload) {
      case ALLOWED, HOT -> SAME_COMMANDS;
      case DENIED, EXHAUSTED -> SAME_COMMANDS_DENIED;
      case MIXED -> SAME_COMMANDS_MIXED;
    };
  }

  @Override
  public LimiterUnderTest on(
      ClientSession session, BenchmarkTarget target, SubjectWorkload workload) {
    if (this == PING) {
      return subject -> session.raw().ping() != null;
    }
    return RawScript.of(this, session, target, workload)::send;
  }
}
