package io.github.penstock.benchmarks.jmh;

import io.github.penstock.benchmarks.limiter.BenchmarkTarget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Binds this process and the server to the same processor ({@code taskset}), and lets them go when
 * it is closed.
 *
 * <p>One thread that waits for one answer leaves each processor idle half of the time, and the
 * measurement is then mostly the time that an idle one takes to wake up. On a single processor
 * neither side sleeps: the time is the work of both.
 */
public final class ProcessorPinning implements AutoCloseable {
  /** The system property that says that a given server may be bound. */
  public static final String ALLOWED = "penstock.one-processor";

  private static final Pattern LIST = Pattern.compile("affinity list: ([0-9,-]+)");
  private static final Pattern PROCESS = Pattern.compile("process_id:(\\d+)");
  private final Map<Long, String> before = new LinkedHashMap<>();

  private ProcessorPinning() {}

  /**
   * Returns whether it can be done: {@code taskset} is there and the server runs on this machine.
   */
  public static boolean possible(BenchmarkTarget target) {
    long server = server(target);
    return server > 0 && !affinity(server).isEmpty();
  }

  /**
   * Binds both; does nothing where that is not possible, or where the server is somebody else's:
   * given by {@code penstock.redis} without {@code penstock.one-processor}.
   */
  static ProcessorPinning bind(BenchmarkTarget target) {
    ProcessorPinning processor = new ProcessorPinning();
    boolean ours = System.getProperty("penstock.redis") == null || Boolean.getBoolean(ALLOWED);
    if (ours && possible(target)) {
      String all = affinity(ProcessHandle.current().pid());
      String last = all.replaceAll(".*[,-]", "");
      processor.bind(ProcessHandle.current().pid(), last);
      processor.bind(server(target), last);
    }
    return processor;
  }

  /** Binds nothing. */
  static ProcessorPinning none() {
    return new ProcessorPinning();
  }

  @Override
  public void close() {
    before.forEach((process, processors) -> taskset("-apc", processors, Long.toString(process)));
    before.clear();
  }

  private void bind(long pid, String processor) {
    before.put(pid, affinity(pid));
    taskset("-apc", processor, Long.toString(pid));
  }

  private static long server(BenchmarkTarget target) {
    String host = target.url().host();
    if (!host.equals("localhost") && !host.equals("127.0.0.1")) {
      return 0;
    }
    Matcher process = target.read(info -> PROCESS.matcher(info.apply("server")));
    return process.find() ? Long.parseLong(process.group(1)) : 0;
  }

  private static String affinity(long pid) {
    Matcher list = LIST.matcher(taskset("-pc", Long.toString(pid)));
    return list.find() ? list.group(1) : "";
  }

  private static String taskset(String... arguments) {
    List<String> command = new ArrayList<>(List.of("taskset"));
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes());
      process.waitFor(5, TimeUnit.SECONDS);
      return said;
    } catch (IOException absent) {
      return "";
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
