package io.github.penstock.lua.maven.source;

/**
 * A piece of a script's text.
 *
 * @param text the text
 * @param owner its writer
 */
record TextPiece(String text, TextOwner owner) {}
