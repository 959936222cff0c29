package io.github.penstock.lua.maven.syntax;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A local variable or parameter: where it is visible, where it is used, and what it holds if that
 * never changes.
 *
 * <p>Positions are token indices. The parser fills it in; nobody changes it afterwards.
 */
public final class Local {
  private final String name;
  private final boolean fixed;
  private final List<Integer> uses = new ArrayList<>();
  private int start;
  private int end = Integer.MAX_VALUE;
  private boolean reassigned;
  private @Nullable Expression value;
  private Statement.@Nullable NumericFor loop;

  Local(String name, boolean fixed) {
    this.name = name;
    this.fixed = fixed;
  }

  /** The name in the source. */
  public String name() {
    return name;
  }

  /** Whether Lua itself gave the name ({@code self}, {@code arg}), so that it cannot be another. */
  public boolean fixed() {
    return fixed;
  }

  /** The first position from which the name means this variable. */
  public int start() {
    return start;
  }

  /** The first position from which it does not any more. */
  public int end() {
    return end;
  }

  /**
   * The positions at which it is read or assigned, ascending; its declaration is not among them.
   */
  public List<Integer> uses() {
    return uses;
  }

  /** Whether anything but its declaration assigns it. */
  public boolean reassigned() {
    return reassigned;
  }

  /** The expression it always holds: its initial one, if it is never assigned again. */
  public @Nullable Expression constant() {
    return reassigned ? null : value;
  }

  /** The numeric loop that counts it, if the loop's body leaves it alone. */
  public Statement.@Nullable NumericFor loop() {
    return reassigned ? null : loop;
  }

  void visible(int from) {
    start = from;
  }

  void invisible(int from) {
    end = from;
  }

  void use(int position) {
    uses.add(position);
  }

  void reassign() {
    reassigned = true;
  }

  void initial(Expression expression) {
    value = expression;
  }

  void countedBy(Statement.NumericFor statement) {
    loop = statement;
  }
}
