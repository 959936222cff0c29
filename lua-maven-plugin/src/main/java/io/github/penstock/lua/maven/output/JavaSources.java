package io.github.penstock.lua.maven.output;

import io.github.penstock.lua.maven.script.Header;
import io.github.penstock.lua.maven.script.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes the Java sources; the templates are in the resources of this plugin. */
final class JavaSources {
  private final Bundle bundle;
  private final Templates templates;

  JavaSources(Bundle bundle) {
    this.bundle = bundle;
    this.templates =
        new Templates(
            Map.of(
                "package", bundle.settings().javaPackage(),
                "bundleVersion", Templates.literal(bundle.settings().bundleVersion()),
                "protocolVersion", String.valueOf(bundle.settings().protocolVersion())));
  }

  /** The enum of the scripts. */
  String luaScript() {
    String constants =
        bundle.scripts().stream().map(this::constant).collect(Collectors.joining(",\n\n"));
    boolean functions = bundle.library().isPresent();
    return templates.fill(
        functions ? "LuaScriptWithFunctions.java" : "LuaScript.java",
        Map.of("constants", constants));
  }

  /** The constants of the Functions library. */
  String functionsLibrary(FunctionsLibrary library) {
    return templates.fill(
        "FunctionsLibrary.java",
        Map.of(
            "name", Templates.literal(library.name()),
            "sha1", Templates.literal(library.sha1()),
            "source", Templates.literal(library.source())));
  }

  private String constant(BundledScript script) {
    List<String> values = new ArrayList<>();
    values.add(Templates.literal(script.name()));
    values.add(Templates.literal(script.script().header().description()));
    values.add(Templates.literal(script.sha1()));
    values.add(Templates.literal(script.readableSha1()));
    values.add(String.valueOf(script.script().header().numberOfKeys()));
    bundle.library().ifPresent(l -> values.add(Templates.literal(script.function(l.name()))));
    bundle
        .library()
        .ifPresent(
            l ->
                values.add(Templates.literal(script.peeks() ? script.peekFunction(l.name()) : "")));
    values.add(Templates.literal(script.minified()));
    String name = script.name().replace('-', '_').toUpperCase(Locale.ROOT);
    return javadoc(script.script().header())
        + "  "
        + name
        + "(\n      "
        + String.join(",\n      ", values)
        + ")";
  }

  private static String javadoc(Header header) {
    List<String> lines = new ArrayList<>();
    lines.add(sentence(header.description()));
    lines.add("");
    lines.add("<table>");
    lines.add("<caption>Keys, arguments and replies</caption>");
    lines.add(
        "<tr><th scope=\"col\">Place</th><th scope=\"col\">Name</th><th scope=\"col\">Meaning</th></tr>");
    header.keys().forEach(slot -> lines.add(row(slot)));
    header.arguments().forEach(slot -> lines.add(row(slot)));
    header.replies().forEach(slot -> lines.add(row(slot)));
    lines.add("</table>");
    header
        .notes()
        .forEach(
            (name, text) ->
                lines.addAll(
                    List.of(
                        "",
                        "<p>"
                            + name
                            + ": "
                            + Templates.html(text)
                            + (text.endsWith(".") ? "" : "."))));
    return "  /**\n"
        + lines.stream()
            .map(l -> ("   * " + l).stripTrailing() + "\n")
            .collect(Collectors.joining())
        + "   */\n";
  }

  private static String sentence(String text) {
    return Templates.html(Character.toUpperCase(text.charAt(0)) + text.substring(1));
  }

  private static String row(Slot slot) {
    String names =
        slot.names().stream()
            .map(n -> n + " (" + slot.unit(n) + ")")
            .collect(Collectors.joining(", "));
    return "<tr><td>%s</td><td>%s</td><td>%s</td></tr>"
        .formatted(slot.label(), Templates.html(names), Templates.html(slot.description()));
  }
}
