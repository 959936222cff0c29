package io.github.penstock.compat.resp;

/** The two versions of the server's protocol. */
public enum RespVersion {
  RESP2,
  RESP3
}
