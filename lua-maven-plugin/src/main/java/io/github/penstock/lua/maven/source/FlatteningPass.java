package io.github.penstock.lua.maven.source;

import io.github.penstock.lua.maven.header.IncludeHeader;
import io.github.penstock.lua.maven.rule.RuleViolation;
import io.github.penstock.lua.maven.syntax.Comment;
import io.github.penstock.lua.maven.syntax.Lexer;
import io.github.penstock.lua.maven.syntax.Token;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The flattening of one script. */
final class FlatteningPass {
  private static final String INCLUDE = "include";

  private final IncludeLibrary library;
  private final Set<RuleViolation> problems;
  private final FlatTextBuilder text = new FlatTextBuilder();
  private final List<IncludeUse> includes = new ArrayList<>();
  private final Set<String> described = new HashSet<>();

  FlatteningPass(IncludeLibrary library, Set<RuleViolation> problems) {
    this.library = library;
    this.problems = problems;
  }

  FlatScript flatten(SourceFile script) {
    insert(script, 1, null, "");
    return text.build(includes);
  }

  /** Adds the lines of a file, beginning with the line {@code from} (the first is 1). */
  private void insert(SourceFile file, int from, @Nullable IncludeUse writer, String indent) {
    Lexer.LexedText read = Lexer.read(file.text());
    Map<Integer, Comment> comments =
        read.comments().stream()
            .filter(c -> !c.block())
            .collect(Collectors.toMap(Comment::line, c -> c));
    Set<Integer> inside = continued(read);
    for (int line = from; line <= file.lines().size(); line++) {
      String source = file.lines().get(line - 1);
      Comment comment = comments.get(line);
      if (comment != null && IncludeDirective.mentioned(comment.text())) {
        String deeper = indent + source.substring(0, source.indexOf("--"));
        include(comment, file.origin(line), writer, deeper);
      } else {
        boolean plain = source.isEmpty() || inside.contains(line);
        String whole = plain ? source : indent + source;
        text.line(filled(whole, writer, file.origin(line)), file.origin(line));
      }
    }
  }

  private void include(
      Comment comment, LineOrigin place, @Nullable IncludeUse writer, String indent) {
    try {
      IncludeDirective directive = IncludeDirective.parse(comment.text());
      if (!comment.alone()) {
        throw new IllegalArgumentException("an include stands on a line of its own");
      }
      find(directive.include(), writer)
          .ifPresent(file -> include(file, directive.arguments(), place, writer, indent));
    } catch (IllegalArgumentException e) {
      problems.add(place.violation(INCLUDE, String.valueOf(e.getMessage())));
    }
  }

  private Optional<IncludeFile> find(String name, @Nullable IncludeUse writer) {
    String way = name;
    for (IncludeUse outer = writer; outer != null; outer = outer.around()) {
      way = outer.file().name() + " -> " + way;
      if (outer.file().name().equals(name)) {
        throw new IllegalArgumentException("\"" + name + "\" includes itself: " + way);
      }
    }
    Optional<IncludeFile> file = library.find(name);
    if (file.isEmpty()) {
      throw new IllegalArgumentException("there is no " + library.label(name));
    }
    return file;
  }

  private void include(
      IncludeFile file,
      Map<String, String> texts,
      LineOrigin place,
      @Nullable IncludeUse writer,
      String indent) {
    checkArguments(file, texts.keySet(), place);
    Map<String, List<TextPiece>> arguments = new HashMap<>();
    texts.forEach((parameter, value) -> arguments.put(parameter, filled(value, writer, place)));
    IncludeUse use = new IncludeUse(file, place, writer, arguments);
    includes.add(use);
    if (described.add(file.name())) {
      describe(use, indent);
    }
    insert(file.file(), file.headerLines() + 1, use, indent);
  }

  /** Adds the sentence of an include as a comment. */
  private void describe(IncludeUse use, String indent) {
    IncludeHeader header = use.file().header();
    if (header == null) {
      return;
    }
    List<String> sentence = header.sentence();
    for (int i = 0; i < sentence.size(); i++) {
      LineOrigin place = use.file().origin(header.line() + i);
      text.line(filled(indent + "-- " + sentence.get(i), use, place), place);
    }
  }

  private void checkArguments(IncludeFile file, Set<String> given, LineOrigin place) {
    Set<String> missing = new TreeSet<>(file.parameters());
    missing.removeAll(given);
    for (String name : missing) {
      problems.add(place.violation(INCLUDE, "\"" + file.name() + "\" needs " + name + "="));
    }
    Set<String> unknown = new TreeSet<>(given);
    unknown.removeAll(file.parameters());
    for (String name : unknown) {
      problems.add(
          place.violation(
              INCLUDE,
              "\"" + file.name() + "\" has no parameter " + name + ": " + list(file.parameters())));
    }
  }

  private static String list(Set<String> parameters) {
    return parameters.isEmpty()
        ? "it has none"
        : "its parameters are " + String.join(", ", parameters);
  }

  /** A text with every {@code $name} in it replaced. */
  private List<TextPiece> filled(String source, @Nullable IncludeUse writer, LineOrigin place) {
    List<TextPiece> pieces = new ArrayList<>();
    TextOwner owner = TextOwner.of(writer);
    Matcher name = PlaceholderPattern.matcher(source);
    int end = 0;
    while (name.find()) {
      pieces.add(new TextPiece(source.substring(end, name.start()), owner));
      pieces.addAll(value(name.group(1), writer, place));
      end = name.end();
    }
    pieces.add(new TextPiece(source.substring(end), owner));
    return pieces;
  }

  private List<TextPiece> value(String name, @Nullable IncludeUse writer, LineOrigin place) {
    if (writer != null && writer.file().parameters().contains(name)) {
      List<TextPiece> argument = writer.argument(name);
      return argument == null
          ? List.of(new TextPiece(name, TextOwner.of(writer)))
          : argument.stream()
              .map(p -> new TextPiece(p.text(), p.owner().handedTo(writer, name)))
              .toList();
    }
    String constant = library.value(name);
    if (constant == null) {
      String parameter = writer == null ? "" : " and no parameter";
      problems.add(
          place.violation(
              "constant", "$" + name + " is unknown: no constant" + parameter + " has that name"));
    }
    return List.of(new TextPiece(constant == null ? name : constant, TextOwner.of(writer)));
  }

  /** The lines that begin inside a string, and must not be indented. */
  private static Set<Integer> continued(Lexer.LexedText read) {
    Set<Integer> lines = new HashSet<>();
    for (Token token : read.tokens()) {
      for (int line = token.line() + 1; line <= token.lastLine(); line++) {
        lines.add(line);
      }
    }
    return lines;
  }
}
