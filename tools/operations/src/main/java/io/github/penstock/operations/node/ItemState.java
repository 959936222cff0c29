package io.github.penstock.operations.node;

import org.jspecify.annotations.Nullable;

/**
 * A script or the library on one server.
 *
 * @param name the name of the script or library
 * @param expected the SHA1 of the bytes that ship
 * @param found the SHA1 of the server's item; null if it has none
 * @param loaded whether that was loaded just now
 */
public record ItemState(String name, String expected, @Nullable String found, boolean loaded) {
  /** True if the server has something else, or nothing. */
  public boolean isMissing() {
    return !expected.equals(found);
  }
}
