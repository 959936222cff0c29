package io.github.penstock.lua.maven.syntax;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The local variables that are visible while the parser moves through a script. */
final class VariableScopes {
  private final Deque<Deque<LocalVariable>> open = new ArrayDeque<>();
  private final Deque<Integer> starts = new ArrayDeque<>();
  private final Deque<Boolean> functions = new ArrayDeque<>();
  private final List<LocalVariable> locals = new ArrayList<>();
  private final Map<Integer, LocalVariable> names = new HashMap<>();

  void open(int position) {
    open.push(new ArrayDeque<>());
    starts.push(position);
  }

  void close(int position) {
    starts.pop();
    open.pop().forEach(local -> local.invisible(position));
  }

  void enterFunction(boolean vararg) {
    functions.push(vararg);
  }

  void leaveFunction() {
    functions.pop();
  }

  boolean vararg() {
    return functions.element();
  }

  /** Creates a variable with its name at a position; it stays invisible until {@link #reveal}. */
  LocalVariable declare(Token name, int position) {
    LocalVariable local = new LocalVariable(name.text(), position, false);
    locals.add(local);
    names.put(position, local);
    return local;
  }

  /** Makes a variable visible that Lua declares by itself under a fixed name. */
  void implicit(String name, int position) {
    LocalVariable local = new LocalVariable(name, position, true);
    locals.add(local);
    reveal(local, position);
  }

  void reveal(LocalVariable local, int position) {
    local.visible(position, starts.element());
    open.element().push(local);
  }

  @Nullable LocalVariable resolve(Token name, int position) {
    for (Deque<LocalVariable> scope : open) {
      for (LocalVariable local : scope) {
        if (local.name().equals(name.text())) {
          names.put(position, local);
          local.use(position);
          return local;
        }
      }
    }
    return null;
  }

  List<LocalVariable> locals() {
    return locals;
  }

  Map<Integer, LocalVariable> names() {
    return names;
  }
}
