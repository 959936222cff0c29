package io.github.penstock.lua.maven.syntax;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which local variables are visible while the parser moves through a script. */
final class Scopes {
  private final Deque<Deque<Local>> open = new ArrayDeque<>();
  private final Deque<Boolean> functions = new ArrayDeque<>();
  private final List<Local> locals = new ArrayList<>();
  private final Map<Integer, Local> names = new HashMap<>();

  void open() {
    open.push(new ArrayDeque<>());
  }

  void close(int position) {
    open.pop().forEach(local -> local.invisible(position));
  }

  /** A place to come back to: how many scopes, functions and variables there are. */
  record Mark(int scopes, int functions, int locals) {}

  Mark mark() {
    return new Mark(open.size(), functions.size(), locals.size());
  }

  /** Leaves what was entered since, and keeps visible what was declared since. */
  void backTo(Mark mark, int position) {
    while (open.size() > mark.scopes()) {
      close(position);
    }
    while (functions.size() > mark.functions()) {
      leaveFunction();
    }
    locals.subList(mark.locals(), locals.size()).forEach(local -> reveal(local, position));
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

  /**
   * Creates a variable whose name stands at a position; it stays invisible until {@link #reveal}.
   */
  Local declare(Token name, int position) {
    Local local = new Local(name.text(), false);
    locals.add(local);
    names.put(position, local);
    return local;
  }

  /** Makes a variable visible that Lua declares by itself under a fixed name. */
  void implicit(String name, int position) {
    Local local = new Local(name, true);
    locals.add(local);
    reveal(local, position);
  }

  void reveal(Local local, int position) {
    local.visible(position);
    open.element().push(local);
  }

  @Nullable Local resolve(Token name, int position) {
    for (Deque<Local> scope : open) {
      for (Local local : scope) {
        if (local.name().equals(name.text())) {
          names.put(position, local);
          local.use(position);
          return local;
        }
      }
    }
    return null;
  }

  List<Local> locals() {
    return locals;
  }

  Map<Integer, Local> names() {
    return names;
  }
}
