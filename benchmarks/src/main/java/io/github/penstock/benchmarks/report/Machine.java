package io.github.penstock.benchmarks.report;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/** This machine, as far as it tells. */
public final class Machine {
  private static final Path CPU = Path.of("/proc/cpuinfo");
  private static final double LOAD_BEFORE =
      ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();

  private Machine() {}

  /** Processor, memory, operating system, Java and load, by name. */
  public static Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("Processor", processor() + ", " + cores() + (cores() == 1 ? " core" : " cores"));
    facts.put("Memory", memory());
    facts.put(
        "System", property("os.name") + " " + property("os.version") + ", " + property("os.arch"));
    facts.put("Java", property("java.vendor") + " " + property("java.runtime.version"));
    facts.put("Java's heap", String.format(Locale.ROOT, "%,d MiB at most", heap() >> 20));
    facts.put("Java's arguments", arguments());
    load().ifPresent(load -> facts.put("Load before", load));
    return facts;
  }

  private static long heap() {
    return Runtime.getRuntime().maxMemory();
  }

  private static String arguments() {
    List<String> arguments =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> !argument.startsWith("-Dpenstock."))
            .map(Facts::quoted)
            .map(Facts::withoutPassword)
            .toList();
    return arguments.isEmpty() ? "none" : String.join(" ", arguments);
  }

  /** How many processors this process may use. */
  public static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** The version of a library on the class path, from what Maven left in its jar. */
  public static String version(String group, String artifact) {
    String path = "/META-INF/maven/" + group + "/" + artifact + "/pom.properties";
    try (InputStream in = Machine.class.getResourceAsStream(path)) {
      if (in == null) {
        return "of unknown version";
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version", "of unknown version");
    } catch (IOException unreadable) {
      return "of unknown version";
    }
  }

  private static String processor() {
    try (Stream<String> lines = Files.lines(CPU)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(property("os.arch"));
    } catch (IOException elsewhere) {
      return property("os.arch");
    }
  }

  private static String memory() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? String.format(Locale.ROOT, "%.0f GiB", system.getTotalMemorySize() / 0x1p30)
        : "unknown";
  }

  /** The load over the minute before this process began to ask, negative if unknown. */
  public static double loadBefore() {
    return LOAD_BEFORE;
  }

  private static Optional<String> load() {
    return LOAD_BEFORE < 0
        ? Optional.empty()
        : Optional.of(
            String.format(Locale.ROOT, "%.1f on average over the last minute", LOAD_BEFORE));
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }
}
