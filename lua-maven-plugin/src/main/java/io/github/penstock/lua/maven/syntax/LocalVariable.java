package io.github.penstock.lua.maven.syntax;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A local variable or a parameter of a function: where it is visible, where it is used, and its
 * value if that never changes.
 *
 * <p>Positions are token indices. The parser fills it in; it does not change afterwards.
 */
public final class LocalVariable {
  private final String name;
  private final boolean fixed;
  private final int declaration;
  private final List<Integer> uses = new ArrayList<>();
  private final List<Integer> assignments = new ArrayList<>();
  private int scope;
  private int start;
  private int end = Integer.MAX_VALUE;
  private @Nullable Expression value;
  private Statement.@Nullable NumericFor loop;

  LocalVariable(String name, int declaration, boolean fixed) {
    this.name = name;
    this.declaration = declaration;
    this.fixed = fixed;
  }

  /** The name in the source. */
  public String name() {
    return name;
  }

  /** Returns whether Lua itself gave the name ({@code self}, {@code arg}), so that it must stay. */
  public boolean fixed() {
    return fixed;
  }

  /** The position at which it is declared; if Lua itself did that, the first of its scope. */
  public int declaration() {
    return declaration;
  }

  /** The first position from which the name means this variable. */
  public int start() {
    return start;
  }

  /** The first position of the block, loop or function that it belongs to. */
  public int scope() {
    return scope;
  }

  /** The first position from which the name no longer means it. */
  public int end() {
    return end;
  }

  /**
   * The positions at which it is read or assigned, ascending; its declaration is not among them.
   */
  public List<Integer> uses() {
    return uses;
  }

  /** Those of its uses that assign it. */
  public List<Integer> assignments() {
    return assignments;
  }

  /** Returns whether anything but its declaration assigns it. */
  public boolean reassigned() {
    return !assignments.isEmpty();
  }

  /** The expression it always holds: its initial one, if it is never assigned again. */
  public @Nullable Expression constant() {
    return reassigned() ? null : value;
  }

  /** The numeric loop that counts it, if the loop's body leaves it alone. */
  public Statement.@Nullable NumericFor loop() {
    return reassigned() ? null : loop;
  }

  void visible(int from, int scopeStart) {
    start = from;
    scope = scopeStart;
  }

  void invisible(int from) {
    end = from;
  }

  void use(int position) {
    uses.add(position);
  }

  void assign(int position) {
    assignments.add(position);
  }

  void initial(Expression expression) {
    value = expression;
  }

  void countedBy(Statement.NumericFor statement) {
    loop = statement;
  }
}
