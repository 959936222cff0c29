package io.github.penstock.benchmarks.report;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A figure as an SVG file of its own, light or dark as the reader's page is, that names the numbers
 * it was drawn from by their hash: fonts differ from machine to machine, numbers do not.
 */
public final class Picture {
  private static final Pattern FINGERPRINT = Pattern.compile("<desc>numbers ([0-9a-f]{16})</desc>");
  private static final Pattern BOX = Pattern.compile("viewBox=\"0 0 (\\S+) (\\S+)\"");
  private static final int DIGITS = 16;
  private final Figure figure;
  private final String fingerprint;

  /**
   * A picture.
   *
   * @param numbers all that is shown, as text
   * @throws IllegalStateException if this Java could not draw it
   */
  public Picture(Figure figure, String numbers) {
    if (!figure.svg().startsWith("<svg")) {
      throw new IllegalStateException(
          "this Java finds no fonts to draw with: install fontconfig and any font");
    }
    this.figure = figure;
    this.fingerprint = fingerprint(numbers);
  }

  /** The file's text. */
  public String text() {
    Matcher box = BOX.matcher(figure.svg());
    String size =
        box.find() ? " width=\"%s\" height=\"%s\"".formatted(box.group(1), box.group(2)) : "";
    int begin = figure.svg().indexOf('>') + 1;
    return figure
            .svg()
            .substring(0, begin - 1)
            .replace("<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"")
        + size
        + ">\n<desc>numbers "
        + fingerprint
        + "</desc>\n<style>"
        + HtmlPage.colours()
        + "</style>\n"
        + figure.svg().substring(begin)
        + "\n";
  }

  /** Whether a file's text was drawn from these numbers. */
  public static boolean shows(String text, String numbers) {
    Matcher found = FINGERPRINT.matcher(text);
    return found.find() && found.group(1).equals(fingerprint(numbers));
  }

  private static String fingerprint(String numbers) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(numbers.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
