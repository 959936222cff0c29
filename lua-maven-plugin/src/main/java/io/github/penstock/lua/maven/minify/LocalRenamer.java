package io.github.penstock.lua.maven.minify;

import io.github.penstock.lua.maven.syntax.Chunk;
import io.github.penstock.lua.maven.syntax.Expression;
import io.github.penstock.lua.maven.syntax.Lexer;
import io.github.penstock.lua.maven.syntax.LocalVariable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/*
 * A graph colouring. Two variables may not share a name where one is declared while the other is
 * visible and still used while both are: the later declaration would capture that use. All other
 * variables may share names, so variables of disjoint scopes do, and a variable may take the name
 * of an outer one that is no longer needed. Names that the script uses for globals are never given.
 * The most used variables choose first.
 */
/** Gives every local variable of a script the shortest name that keeps its meaning. */
final class LocalRenamer {
  private static final String FIRST = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  private static final String REST = FIRST + "0123456789";

  private final List<LocalVariable> locals;
  private final Set<String> globals = new HashSet<>();
  private final Map<LocalVariable, String> names = new HashMap<>();

  private LocalRenamer(Chunk chunk) {
    locals = chunk.locals();
    chunk
        .expressions()
        .filter(e -> e instanceof Expression.VariableName name && name.local() == null)
        .forEach(e -> globals.add(((Expression.VariableName) e).name()));
  }

  /** The new name of every local variable. */
  static Map<LocalVariable, String> rename(Chunk chunk) {
    LocalRenamer renamer = new LocalRenamer(chunk);
    renamer.locals.stream()
        .filter(LocalVariable::fixed)
        .forEach(l -> renamer.names.put(l, l.name()));
    List<LocalVariable> order = new ArrayList<>(renamer.locals);
    order.sort(Comparator.comparingInt(l -> -l.uses().size()));
    order.stream().filter(l -> !l.fixed()).forEach(l -> renamer.names.put(l, renamer.choose(l)));
    return renamer.names;
  }

  private String choose(LocalVariable local) {
    Set<String> unusable = new HashSet<>(globals);
    for (LocalVariable other : locals) {
      String name = names.get(other);
      if (name != null && !unusable.contains(name) && interfere(local, other)) {
        unusable.add(name);
      }
    }
    int index = 0;
    while (unusable.contains(name(index)) || Lexer.reserved(name(index))) {
      index++;
    }
    return name(index);
  }

  private boolean interfere(LocalVariable a, LocalVariable b) {
    boolean together = a.start() == b.start();
    boolean first = together ? locals.indexOf(a) < locals.indexOf(b) : a.start() < b.start();
    return first ? captures(b, a) : captures(a, b);
  }

  /**
   * Returns whether the later of two declarations would capture a use of the earlier one under the
   * same name.
   */
  private static boolean captures(LocalVariable later, LocalVariable earlier) {
    return earlier.uses().stream().anyMatch(use -> use >= later.start() && use < later.end());
  }

  private static String name(int index) {
    StringBuilder name = new StringBuilder().append(FIRST.charAt(index % FIRST.length()));
    for (int rest = index / FIRST.length(); rest > 0; rest = (rest - 1) / REST.length()) {
      name.append(REST.charAt((rest - 1) % REST.length()));
    }
    return name.toString();
  }
}
