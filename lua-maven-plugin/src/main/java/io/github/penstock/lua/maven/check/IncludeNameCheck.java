package io.github.penstock.lua.maven.check;

import io.github.penstock.lua.maven.header.IncludeHeader;
import io.github.penstock.lua.maven.header.NameRow;
import io.github.penstock.lua.maven.rule.RuleViolation;
import io.github.penstock.lua.maven.source.FlatScript;
import io.github.penstock.lua.maven.source.IncludeUse;
import io.github.penstock.lua.maven.source.LineOrigin;
import io.github.penstock.lua.maven.source.TextOwner;
import io.github.penstock.lua.maven.syntax.Chunk;
import io.github.penstock.lua.maven.syntax.Expression;
import io.github.penstock.lua.maven.syntax.LocalVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks the local variables that an include shares with the text around it against the rows {@code
 * Reads} and {@code Sets} of its header.
 *
 * <p>Text that was passed to a parameter belongs to its writer, and so do the names in it. Only the
 * variable that a parameter names, and that the include leaves behind, is the include's: its row
 * has it as {@code $name}.
 */
public final class IncludeNameCheck {
  private static final String RULE = "names";

  private final FlatScript flat;
  private final Chunk chunk;
  private final IncludeUse include;
  private final IncludeHeader header;
  private final Set<RuleViolation> problems;
  private final List<TextOwner> owners;
  private final int start;
  private final Map<String, LineOrigin> reads = new TreeMap<>();
  private final Map<String, LineOrigin> sets = new TreeMap<>();

  private IncludeNameCheck(
      FlatScript flat,
      Chunk chunk,
      List<TextOwner> owners,
      IncludeUse include,
      IncludeHeader header,
      Set<RuleViolation> problems) {
    this.flat = flat;
    this.chunk = chunk;
    this.owners = owners;
    this.include = include;
    this.header = header;
    this.problems = problems;
    int first = 0;
    while (first < owners.size() && !owners.get(first).within(include)) {
      first++;
    }
    this.start = first;
  }

  /** Reports names that a row lacks, names that it has in vain, and variables that hide others. */
  public static void check(FlatScript flat, Chunk chunk, Set<RuleViolation> problems) {
    List<TextOwner> owners = new ArrayList<>();
    chunk.tokens().forEach(token -> owners.add(flat.owner(token.offset())));
    for (IncludeUse include : flat.includes()) {
      IncludeHeader header = include.file().header();
      if (header != null) {
        new IncludeNameCheck(flat, chunk, owners, include, header, problems).check();
      }
    }
  }

  private void check() {
    chunk.locals().stream().filter(local -> !local.fixed()).forEach(this::local);
    compare(header.reads(), reads, " is read here: add it to the row Reads");
    compare(
        header.sets(), sets, " is left behind here: add it to the row Sets, or keep it in a block");
    undeclared();
  }

  private void local(LocalVariable local) {
    boolean own = within(local.declaration());
    if (own || parameter(local.declaration()) != null) {
      if (local.scope() <= start) {
        sets.putIfAbsent(written(local, local.declaration()), place(local.declaration()));
        hidden(local);
      }
    }
    for (int use : local.uses()) {
      if (parameter(use) != null) {
        parameter(local, use, own);
      } else if (within(use) && !own) {
        boolean assigned = local.assignments().contains(use);
        (assigned ? sets : reads).putIfAbsent(written(local, use), place(use));
      }
    }
  }

  private void parameter(LocalVariable local, int use, boolean own) {
    if (own) {
      problem(
          include.place(),
          "the text of %s names %s, but \"%s\" has a variable of that name"
              .formatted(parameter(use), local.name(), include.file().name()));
    } else if (local.assignments().contains(use)) {
      sets.putIfAbsent(written(local, use), place(use));
    }
  }

  private String written(LocalVariable local, int position) {
    String parameter = parameter(position);
    return parameter == null ? local.name() : "$" + parameter;
  }

  private void compare(NameRow row, Map<String, LineOrigin> found, String lacking) {
    found.forEach(
        (name, place) -> {
          if (!row.names().contains(name)) {
            problem(place, name + lacking);
          }
        });
    for (String name : row.names()) {
      if (!found.containsKey(name) && (row != header.reads() || !global(name))) {
        problem(
            include.file().origin(row.line()),
            "%s lists %s, which is not %s here: remove it"
                .formatted(row.label(), name, row == header.reads() ? "read" : "left behind"));
      }
    }
  }

  /**
   * Reports the names of the row Reads that are not local variables at the place of the include.
   */
  private void undeclared() {
    header.reads().names().stream()
        .filter(name -> !reads.containsKey(name) && global(name))
        .forEach(
            name ->
                problem(
                    include.place(),
                    "\"%s\" reads %s, but there is no local variable of that name here"
                        .formatted(include.file().name(), name)));
  }

  private boolean global(String name) {
    return chunk
        .expressions()
        .filter(Expression.VariableName.class::isInstance)
        .map(Expression.VariableName.class::cast)
        .anyMatch(v -> v.local() == null && v.name().equals(name) && within(v.position()));
  }

  /** Reports a variable that another of the same name is still visible behind. */
  private void hidden(LocalVariable local) {
    chunk.locals().stream()
        .filter(other -> other != local && other.name().equals(local.name()))
        .filter(other -> other.declaration() < local.declaration())
        .filter(other -> other.end() > local.declaration())
        .findFirst()
        .ifPresent(
            other ->
                problem(
                    place(local.declaration()),
                    "the local %s hides the one of %s: give it another name"
                        .formatted(local.name(), place(other.declaration()))));
  }

  private boolean within(int position) {
    return owners.get(position).within(include);
  }

  private @Nullable String parameter(int position) {
    return owners.get(position).parameter(include);
  }

  private LineOrigin place(int position) {
    return flat.origin(chunk.tokens().get(position).line());
  }

  private void problem(LineOrigin place, String message) {
    problems.add(place.violation(RULE, message));
  }
}
