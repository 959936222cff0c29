package io.github.penstock.lua.maven.syntax;

/**
 * Something that Lua 5.1 does not accept.
 *
 * @param line the line (from 1) in the text that was read
 * @param message what is wrong
 */
public record SyntaxProblem(int line, String message) {}
