package io.github.penstock.testkit.resp;

/**
 * An error that a server answered.
 *
 * @param text the whole text, such as {@code NOSCRIPT No matching script}
 */
public record RespError(String text) {}
