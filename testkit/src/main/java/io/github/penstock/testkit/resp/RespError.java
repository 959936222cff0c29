package io.github.penstock.testkit.resp;

/**
 * An error that a server answered.
 *
 * @param text the whole text, such as {@code NOSCRIPT No matching script}
 */
public record RespError(String text) {

  /** True if the error's code, its first word, is this one. */
  public boolean is(String code) {
    return text.equals(code) || text.startsWith(code + " ");
  }
}
