package io.github.penstock.testkit.server;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Sends signals to processes through one shell that lives as long as this JVM. A signal has been
 * sent when the method returns, in the order of the calls.
 */
final class ProcessSignals {
  private static final ProcessSignals SHARED = new ProcessSignals();

  private final BufferedWriter commands;
  private final BufferedReader answers;

  private ProcessSignals() {
    try {
      Process shell = new ProcessBuilder("sh").redirectErrorStream(true).start();
      commands = shell.outputWriter(StandardCharsets.US_ASCII);
      answers = shell.inputReader(StandardCharsets.US_ASCII);
    } catch (IOException failure) {
      throw new UncheckedIOException("sh must be there to send signals", failure);
    }
  }

  /**
   * Sends a signal, such as {@code STOP}; throws an IllegalStateException if the process does not
   * exist.
   */
  static void send(String signal, long pid) {
    SHARED.kill(signal, pid);
  }

  private synchronized void kill(String signal, long pid) {
    try {
      commands.write("kill -%s %d && echo sent%n".formatted(signal, pid));
      commands.flush();
      String answer = answers.readLine();
      if (!"sent".equals(answer)) {
        throw new IllegalStateException("SIG" + signal + " was not sent to " + pid + ": " + answer);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
