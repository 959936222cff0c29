package io.github.penstock.cli.scripts;

import static io.github.penstock.report.ReportFiles.fields;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the findings of a command, for people or as JSON. */
public final class CommandOutput {
  public static final String JSON = "--json";

  private static final int FORMAT = 1;
  private static final Gson GSON =
      new GsonBuilder()
          .setPrettyPrinting()
          .disableHtmlEscaping()
          .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
          .create();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(names = JSON, description = "print JSON for programs, of `format` 1.")
  private boolean json;

  /** Returns whether a command that was parsed was asked for JSON. */
  public static boolean isJson(CommandLine command) {
    CommandLine.ParseResult parsed = command.getParseResult();
    return parsed != null && parsed.hasMatchedOption(JSON);
  }

  /** Prints the reason for a missing answer. */
  public static void printError(PrintWriter out, @Nullable String error) {
    out.println(GSON.toJson(fields("format", FORMAT, "error", error)));
    out.flush();
  }

  public void print(Supplier<List<String>> lines, Map<String, ?> values) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Map<String, Object> all = fields("format", FORMAT);
      all.putAll(values);
      out.println(GSON.toJson(all));
    } else {
      lines.get().forEach(out::println);
    }
    out.flush();
  }
}
