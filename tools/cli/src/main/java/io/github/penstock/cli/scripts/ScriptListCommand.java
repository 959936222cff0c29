package io.github.penstock.cli.scripts;

import static io.github.penstock.report.ReportFiles.fields;

import io.github.penstock.operations.bundle.ShippedManifest;
import io.github.penstock.report.console.LineWrap;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the contents of the bundle. */
@Command(
    name = "list",
    header = "Lists the scripts: name, SHA1, bytes, what they take and what they answer.",
    description = "[x] may be left out, [x ...] may be repeated. JSON has the readable forms, too.",
    mixinStandardHelpOptions = true)
final class ScriptListCommand implements Runnable {
  @Mixin private final CommandOutput output = new CommandOutput();

  @Override
  public void run() {
    ShippedManifest manifest = ShippedManifest.read();
    output.print(
        () -> lines(manifest),
        fields(
            "bundle_version", manifest.bundleVersion(),
            "scripts", manifest.scripts(),
            "functions_library", manifest.functionsLibrary()));
  }

  private static List<String> lines(ShippedManifest manifest) {
    List<String> lines = new ArrayList<>();
    for (ShippedManifest.Script script : manifest.scripts()) {
      lines.add(row(script.name(), script.minified()));
      lines.addAll(LineWrap.lines("  " + script.description()));
      lines.addAll(LineWrap.lines("  takes " + String.join(" ", script.takes())));
      lines.addAll(LineWrap.lines("  answers " + String.join(" ", script.answers())));
    }
    lines.add(row(manifest.libraryName(), manifest.functionsLibrary()));
    lines.add("    all of them as a Functions library, for FUNCTION LOAD");
    return lines;
  }

  private static String row(String name, ShippedManifest.Form form) {
    return String.format(Locale.ROOT, "%-20s  %s  %,6d bytes", name, form.sha1(), form.bytes());
  }
}
