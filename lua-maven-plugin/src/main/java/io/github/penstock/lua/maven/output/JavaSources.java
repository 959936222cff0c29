package io.github.penstock.lua.maven.output;

import io.github.penstock.lua.maven.header.HeaderSlot;
import io.github.penstock.lua.maven.header.ScriptHeader;
import io.github.penstock.lua.maven.header.TierContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
    boolean tiers = tiers(group);
    return templates.fill(
        functions ? "LuaScriptWithFunctions.java" : "LuaScript.java",
        Map.of(
            "constants",
            constants,
            "tierFields",
            tiers ? templates.fill("TierFields.java", Map.of()) : "",
            "tierParameters",
            tiers
                ? "      List<TierNumber> tier,\n      KeyMarker marker,\n      TierState state,\n      UnitUse use,\n"
                : "",
            "tierAssignments",
            tiers
                ? "    this.tier = tier;\n    this.marker = marker;\n    this.state = state;\n    this.use = use;\n"
                : "",
            "tierMembers",
            tiers ? templates.fill("TierMembers.java", Map.of()) : "",
            "tierImport",
            tiers ? "import java.util.List;\n" : "",
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
    if (tiers(script.group())) {
      values.addAll(tier(script.script().header().tier()));
    }
    values.add(JavaTemplates.literal(script.minified()));
    String name = script.name().replace('-', '_').toUpperCase(Locale.ROOT);
    return javadoc(script.script().header())
        + "  "
        + name
        + "(\n      "
        + String.join(",\n      ", values)
        + ")";
  }

  private boolean tiers(ScriptGroup group) {
    return bundle.scripts(group).stream().anyMatch(s -> s.script().header().tier().isPresent());
  }

  private static List<String> tier(Optional<TierContract> tier) {
    return tier.map(
            t ->
                List.of(
                    t.numbers().stream()
                        .map(JavaSources::number)
                        .collect(Collectors.joining(", ", "List.of(", ")")),
                    "new KeyMarker(%s, %s)"
                        .formatted(JavaTemplates.literal(t.letter()), literals(t.marked())),
                    "new TierState(%s, %s)"
                        .formatted(literals(t.forms()), JavaTemplates.literal(t.unused())),
                    "new UnitUse(%s, %s, %s)"
                        .formatted(JavaTemplates.literal(t.refill()), t.queues(), t.holds())))
        .orElse(
            List.of(
                "List.of()",
                "new KeyMarker(\"\", List.of())",
                "new TierState(List.of(), \"\")",
                "new UnitUse(\"\", false, false)"));
  }

  private static String number(TierContract.TierNumber number) {
    return "new TierNumber(%s, %s, %dL, %dL)"
        .formatted(
            JavaTemplates.literal(number.name()),
            JavaTemplates.literal(number.unit()),
            number.least(),
            number.most());
  }

  private static String literals(List<String> texts) {
    return texts.stream()
        .map(JavaTemplates::literal)
        .collect(Collectors.joining(", ", "List.of(", ")"));
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
