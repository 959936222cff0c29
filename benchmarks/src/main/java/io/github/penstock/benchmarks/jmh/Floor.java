package io.github.penstock.benchmarks.jmh;

import io.github.penstock.core.Limit;
import io.github.penstock.scripts.LuaScript;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The least that a call can be: raw, through the client's own API. */
public enum Floor {
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
  /** The token bucket's own script: what an adapter's decision costs beyond it is the adapter's. */
  TOKEN_BUCKET("token-bucket, sent raw", LuaScript.TOKEN_BUCKET.source()),
  /** {@link #SAME_COMMANDS} allowed and denied by turns, as {@link Workload#MIXED} has it. */
  SAME_COMMANDS_MIXED("same commands, mixed", "") {
    @Override
    public Decider on(Session session, Target target, Workload workload) {
      Decider allowed = SAME_COMMANDS.on(session, target, workload);
      Decider denied = SAME_COMMANDS_DENIED.on(session, target, workload);
      return subject -> (workload.denied(subject) ? denied : allowed).decide(subject);
    }
  };

  private final String title;
  private final String source;

  Floor(String title, String source) {
    this.title = title;
    this.source = source;
  }

  /** Its name for people. */
  public String title() {
    return title;
  }

  /** Its script, empty if it is none. */
  public String source() {
    return source;
  }

  /** Which of them is the floor of a workload's decisions. */
  public static Floor of(Workload workload) {
    return switch (workload) {
      case ALLOWED, HOT -> SAME_COMMANDS;
      case DENIED, EXHAUSTED -> SAME_COMMANDS_DENIED;
      case MIXED -> SAME_COMMANDS_MIXED;
    };
  }

  /** What the benchmarks call, on as many keys as the workload has subjects. */
  public Decider on(Session session, Target target, Workload workload) {
    if (this == PING) {
      return subject -> session.ping() != null;
    }
    return new RawScript(this, session, target, workload)::send;
  }

  /** Names as long as a decision's, each as the keys of one call. */
  static byte[][][] keys(Target target, Workload workload) {
    String marker = Algorithm.TOKEN_BUCKET.generous(1).marker();
    byte[][][] keys = new byte[workload.subjects()][][];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = new byte[][] {bytes(target.key("floor", i) + ":" + marker)};
    }
    return keys;
  }

  /** The arguments of a decision of one tier. */
  static byte[][] arguments() {
    Limit limit = Algorithm.TOKEN_BUCKET.generous(1);
    List<String> tier = limit.arguments();
    return new byte[][] {bytes("1"), bytes(tier.get(0)), bytes(tier.get(1)), bytes(tier.get(2))};
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The name under which a server keeps a script. */
  public static String sha1(String source) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes(source)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
