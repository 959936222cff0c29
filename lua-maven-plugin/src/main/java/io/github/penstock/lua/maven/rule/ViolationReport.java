package io.github.penstock.lua.maven.rule;

/** Collects the broken rules of one script. */
@FunctionalInterface
public interface ViolationReport {
  /** Adds a problem at a line (from 1) of the text that is being checked. */
  void add(int line, String rule, String message);
}
