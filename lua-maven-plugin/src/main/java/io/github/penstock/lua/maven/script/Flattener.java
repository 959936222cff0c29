package io.github.penstock.lua.maven.script;

import io.github.penstock.lua.maven.syntax.Comment;
import io.github.penstock.lua.maven.syntax.Lexer;
import io.github.penstock.lua.maven.syntax.Token;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Puts the includes of scripts in their places.
 *
 * <p>A line {@code --- @include "name"} stands for the text of {@code include/name.lua}, indented
 * like the line. Each include comes once per script, at the first line that asks for it.
 */
public final class Flattener {
  private static final Pattern MENTION = Pattern.compile("--+\\s*@include\\b.*");
  private static final Pattern DIRECTIVE =
      Pattern.compile("--- @include \"([a-z0-9][a-z0-9_/-]*)\"\\s*");

  private final Path directory;
  private final Set<Problem> problems;
  private final Set<String> used = new TreeSet<>();

  /**
   * For the scripts of a directory.
   *
   * @param directory where the scripts are; their includes are in its folder {@code include}
   * @param problems takes what is wrong
   */
  public Flattener(Path directory, Set<Problem> problems) {
    this.directory = directory;
    this.problems = problems;
  }

  /** Reads the script of a name. */
  public FlatScript flatten(String name) {
    SourceFile file = read(name + ".lua");
    Pass pass = new Pass();
    pass.insert(file, "");
    return new FlatScript(name, pass.text.toString(), List.copyOf(pass.origins));
  }

  /** The names of the includes that any script has used so far. */
  public Set<String> used() {
    return used;
  }

  private SourceFile read(String relative) {
    return SourceFile.read(
        directory.resolve(relative), directory.getFileName() + "/" + relative, problems);
  }

  /** The flattening of one script. */
  private final class Pass {
    private final StringBuilder text = new StringBuilder();
    private final List<FlatScript.Origin> origins = new ArrayList<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final Set<String> done = new HashSet<>();

    private void insert(SourceFile file, String indent) {
      Lexer.Result read = Lexer.read(file.text());
      Map<Integer, Comment> comments =
          read.comments().stream()
              .filter(c -> !c.block())
              .collect(Collectors.toMap(Comment::line, c -> c));
      Set<Integer> inside = continued(read);
      for (int line = 1; line <= file.lines().size(); line++) {
        String source = file.lines().get(line - 1);
        Comment comment = comments.get(line);
        if (comment != null && MENTION.matcher(comment.text()).matches()) {
          include(comment, file.label(), indent + source.substring(0, source.indexOf("--")));
        } else {
          boolean plain = source.isEmpty() || inside.contains(line);
          text.append(plain ? "" : indent).append(source).append('\n');
          origins.add(new FlatScript.Origin(file.label(), line));
        }
      }
    }

    private void include(Comment comment, String file, String indent) {
      Matcher directive = DIRECTIVE.matcher(comment.text());
      if (!directive.matches() || !comment.alone()) {
        problem(
            file,
            comment.line(),
            comment.alone()
                ? "an include is written --- @include \"name\", the name of lower-case letters, digits, _, - and /"
                : "an include is a line of its own: --- @include \"name\"");
        return;
      }
      String name = directive.group(1);
      if (open.contains(name)) {
        problem(file, comment.line(), "\"" + name + "\" includes itself: " + cycle(name));
      } else if (!Files.isRegularFile(directory.resolve(path(name)))) {
        problem(file, comment.line(), "there is no " + directory.getFileName() + "/" + path(name));
      } else if (done.add(name)) {
        used.add(name);
        open.addLast(name);
        insert(read(path(name)), indent);
        open.removeLast();
      }
    }

    private String cycle(String name) {
      List<String> path = new ArrayList<>(open);
      path.add(name);
      return String.join(" -> ", path.subList(path.indexOf(name), path.size()));
    }

    private void problem(String file, int line, String message) {
      problems.add(new Problem(file, line, "include", message));
    }
  }

  private static String path(String name) {
    return "include/" + name + ".lua";
  }

  /** The lines that begin inside a string or a comment, and must stay as they are. */
  private static Set<Integer> continued(Lexer.Result read) {
    Set<Integer> lines = new HashSet<>();
    for (Token token : read.tokens()) {
      for (int line = token.line() + 1; line <= token.lastLine(); line++) {
        lines.add(line);
      }
    }
    return lines;
  }
}
