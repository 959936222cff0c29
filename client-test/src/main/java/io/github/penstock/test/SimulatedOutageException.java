package io.github.penstock.test;

/** Why a call was not answered, in an outage that a test made. */
public final class SimulatedOutageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SimulatedOutageException(String what) {
    super(what);
  }
}
