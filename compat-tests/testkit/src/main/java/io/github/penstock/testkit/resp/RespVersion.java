package io.github.penstock.testkit.resp;

/** The two versions of the server's protocol. */
public enum RespVersion {
  /** The version that every server speaks at first. */
  RESP2,
  /** The version with maps, doubles and booleans. */
  RESP3
}
