package io.github.penstock.report;

import io.github.penstock.report.text.NumberText;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/** Facts about this machine. */
public final class MachineFacts {
  private static final Path CPU = Path.of("/proc/cpuinfo");
  private static final double LOAD_BEFORE =
      ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();

  private MachineFacts() {}

  /** Processor, memory, operating system, Java and load, by name. */
  public static Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("Processor", processor() + ", " + NumberText.count(cores(), "core"));
    facts.put("Memory", memory());
    facts.put(
        "System", property("os.name") + " " + property("os.version") + ", " + property("os.arch"));
    facts.put("Java", property("java.vendor") + " " + property("java.runtime.version"));
    long heap = Runtime.getRuntime().maxMemory();
    facts.put("Java's heap", NumberText.count(heap >> 20) + " MiB at most");
    facts.put("Java's arguments", arguments());
    if (LOAD_BEFORE >= 0) {
      facts.put("Load before", NumberText.tenths(LOAD_BEFORE) + " on average over the last minute");
    }
    return facts;
  }

  private static String arguments() {
    List<String> arguments =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> !argument.startsWith("-Dpenstock."))
            .map(RunFacts::quoted)
            .map(RunFacts::withoutPassword)
            .toList();
    return arguments.isEmpty() ? "none" : String.join(" ", arguments);
  }

  /** Returns how many processors this process may use. */
  public static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** The version of a library on the class path, from Maven's metadata in its jar. */
  public static String version(String group, String artifact) {
    Properties properties = new Properties();
    String path = "/META-INF/maven/" + group + "/" + artifact + "/pom.properties";
    try (InputStream in = MachineFacts.class.getResourceAsStream(path)) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException unreadable) {
      properties.clear();
    }
    return properties.getProperty("version", "of unknown version");
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
        ? NumberText.count(system.getTotalMemorySize() / 0x1p30) + " GiB"
        : "unknown";
  }

  /** The load over the minute before this process began to ask, negative if unknown. */
  public static double loadBefore() {
    return LOAD_BEFORE;
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }
}
