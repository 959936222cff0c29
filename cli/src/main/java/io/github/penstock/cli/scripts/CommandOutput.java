package io.github.penstock.cli.scripts;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints what a command found out, for people or as JSON. */
public final class CommandOutput {
  private static final int FORMAT = 1;
  private static final Gson GSON =
      new GsonBuilder()
          .setPrettyPrinting()
          .disableHtmlEscaping()
          .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
          .create();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(names = "--json", description = "print JSON for programs, of `format` 1.")
  private boolean json;

  /** Prints the one or the other. */
  void print(Supplier<List<String>> lines, Map<String, ?> values) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("format", FORMAT);
      all.putAll(values);
      out.println(GSON.toJson(all));
    } else {
      lines.get().forEach(out::println);
    }
    out.flush();
  }
}
