package io.github.penstock.lua.maven.output;

import io.github.penstock.lua.maven.header.HeaderSlot;
import io.github.penstock.lua.maven.header.ScriptHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes the Java sources; the templates are in the resources of this plugin. */
final class JavaSources {
  private final BuiltBundle bundle;
  private final JavaTemplates templates;

  JavaSources(BuiltBundle bundle) {
    this.bundle = bundle;
    this.templates =
        new JavaTemplates(
            Map.of(
                "package", bundle.settings().javaPackage(),
                "bundleVersion", JavaTemplates.literal(bundle.settings().bundleVersion()),
                "protocolVersion", String.valueOf(bundle.settings().protocolVersion())));
  }

  /** The enum of the scripts of a group. */
  String scripts(ScriptGroup group) {
    String constants =
        bundle.scripts(group).stream().map(this::constant).collect(Collectors.joining(",\n\n"));
    boolean functions = bundle.library().isPresent();
    return templates.fill(
        functions ? "LuaScriptWithFunctions.java" : "LuaScript.java",
        Map.of(
            "constants",
            constants,
            "class",
            group.javaClass(),
            "folder",
            group.folder(),
            "group",
            group.directory().isEmpty()
                ? ""
                : ", those in {@code %s}".formatted(group.directory())));
  }

  /** The constants of the Functions library. */
  String functionsLibrary(BuiltLibrary library) {
    return templates.fill(
        "FunctionsLibrary.java",
        Map.of(
            "name", JavaTemplates.literal(library.name()),
            "sha1", JavaTemplates.literal(library.sha1()),
            "source", JavaTemplates.literal(library.source())));
  }

  private String constant(BundledScript script) {
    List<String> values = new ArrayList<>();
    values.add(JavaTemplates.literal(script.name()));
    values.add(JavaTemplates.literal(script.script().header().description()));
    values.add(JavaTemplates.literal(script.sha1()));
    values.add(JavaTemplates.literal(script.readableSha1()));
    values.add(String.valueOf(script.script().header().numberOfKeys()));
    bundle.library().ifPresent(l -> values.add(JavaTemplates.literal(script.function(l.name()))));
    bundle
        .library()
        .ifPresent(
            l ->
                values.add(
                    JavaTemplates.literal(script.peeks() ? script.peekFunction(l.name()) : "")));
    values.add(JavaTemplates.literal(script.minified()));
    String name = script.name().replace('-', '_').toUpperCase(Locale.ROOT);
    return javadoc(script.script().header())
        + "  "
        + name
        + "(\n      "
        + String.join(",\n      ", values)
        + ")";
  }

  private static String javadoc(ScriptHeader header) {
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
                            + JavaTemplates.html(text)
                            + (text.endsWith(".") ? "" : "."))));
    return "  /**\n"
        + lines.stream()
            .map(l -> ("   * " + l).stripTrailing() + "\n")
            .collect(Collectors.joining())
        + "   */\n";
  }

  private static String sentence(String text) {
    return JavaTemplates.html(Character.toUpperCase(text.charAt(0)) + text.substring(1));
  }

  private static String row(HeaderSlot slot) {
    String names =
        slot.names().stream()
            .map(n -> n + " (" + slot.unit(n) + ")")
            .collect(Collectors.joining(", "));
    return "<tr><td>%s</td><td>%s</td><td>%s</td></tr>"
        .formatted(slot.label(), JavaTemplates.html(names), JavaTemplates.html(slot.description()));
  }
}
