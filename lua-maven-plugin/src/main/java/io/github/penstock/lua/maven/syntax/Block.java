package io.github.penstock.lua.maven.syntax;

import java.util.List;

/**
 * Statements that share a scope.
 *
 * @param statements the statements in order
 * @param line the line (from 1) of the token after the last one
 */
public record Block(List<Statement> statements, int line) {}
