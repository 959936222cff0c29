package io.github.penstock.report;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import io.github.penstock.report.chart.SeriesColor;
import io.github.penstock.report.text.NameBreaks;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.report.text.SafeText;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.commons.io.IOUtils;
import org.apache.commons.io.function.Uncheck;

/**
 * A report as one HTML page that needs nothing else: no network, and no script but the one that
 * moves a line in a figure. {@code report.mustache} is the page; each of its names is a field or a
 * method of the document and its parts, and is escaped.
 */
final class HtmlPage {
  private static final Template PAGE =
      Mustache.compiler()
          .emptyStringIsFalse(true)
          .withEscaper(text -> NameBreaks.html(NumberText.unbroken(SafeText.html(text))))
          .withLoader(name -> new StringReader(resource(name + ".mustache")))
          .compile(resource("report.mustache"));

  private HtmlPage() {}

  static String of(ReportDocument report) {
    boolean moves =
        report.chapters.stream()
            .flatMap(each -> each.figures.stream())
            .anyMatch(each -> !each.control().isEmpty());
    String script = moves ? resource("mover.js") : "";
    StringWriter page = new StringWriter(1 << 16);
    PAGE.execute(
        report,
        Map.of(
            "script",
            script,
            "scripts",
            moves ? "'sha256-" + sha256(script) + "'" : "'none'",
            "style",
            SeriesColor.style() + resource("report.css"),
            "repeat",
            report.facts.asMap().entrySet(),
            "plain",
            without(text -> text.replace("<wbr>", "")),
            "copied",
            without(text -> text.replace("\u00a0", " "))),
        page);
    return page.toString();
  }

  /* Where no element may stand, and where a reader copies the text. */
  private static Mustache.Lambda without(UnaryOperator<String> removal) {
    return (fragment, out) -> out.write(removal.apply(fragment.execute()));
  }

  private static String sha256(String script) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return Base64.getEncoder()
          .encodeToString(digest.digest(script.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing);
    }
  }

  private static String resource(String name) {
    return Uncheck.get(
        () ->
            IOUtils.resourceToString("/io/github/penstock/report/" + name, StandardCharsets.UTF_8));
  }
}
