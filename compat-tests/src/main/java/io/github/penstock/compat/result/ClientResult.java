package io.github.penstock.compat.result;

/** Something that was measured of a client. */
interface ClientResult {
  /** Name and version of the client. */
  String client();

  /** Product and version of the server. */
  String server();

  /** The case that was measured; once for each client. */
  String name();

  /** How late, at most, the machine woke threads, in microseconds. */
  long stallUs();
}
