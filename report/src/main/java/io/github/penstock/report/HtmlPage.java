package io.github.penstock.report;

import io.github.penstock.report.chart.ReportFigure;
import io.github.penstock.report.chart.SeriesColor;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.report.text.NameBreaks;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.report.text.SafeText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntPredicate;
import org.apache.commons.io.IOUtils;
import org.apache.commons.io.function.Uncheck;

/** A report as one HTML page that needs nothing else: no network, no script. */
final class HtmlPage {
  private final ReportDocument report;
  private final StringBuilder out = new StringBuilder(1 << 16);

  HtmlPage(ReportDocument report) {
    this.report = report;
  }

  String text() {
    out.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.append("<meta http-equiv=\"Content-Security-Policy\" content=\"")
        .append("default-src 'none'; style-src 'unsafe-inline'\">\n");
    out.append("<meta name=\"color-scheme\" content=\"light dark\">\n");
    out.append("<title>").append(plain(report.title)).append("</title>\n");
    out.append("<style>\n")
        .append(SeriesColor.style())
        .append(style())
        .append("</style>\n</head>\n<body>\n<main>\n");
    head();
    report.chapters.forEach(this::chapter);
    facts();
    return out.append("</main>\n</body>\n</html>\n").toString();
  }

  private void head() {
    out.append("<header>\n<h1>").append(html(report.title)).append("</h1>\n");
    paragraph("lead", report.lead);
    if (!report.advice.isEmpty()) {
      out.append("<div class=\"advice\">\n");
      if (!report.toCopy.isEmpty()) {
        out.append("<p><code>")
            .append(NameBreaks.html(SafeText.html(report.toCopy)))
            .append("</code></p>\n");
      }
      report.advice.forEach(each -> paragraph("", each));
      out.append("</div>\n");
    }
    if (report.opening != null && !report.opening.isEmpty()) {
      opening(report.opening);
    }
    findings(report.glance);
    out.append("</header>\n");
  }

  private void chapter(ReportChapter chapter) {
    begin(chapter.title, chapter.folded);
    paragraph("introduction", chapter.introduction);
    if (!chapter.figures.isEmpty()) {
      out.append("<div class=\"figures\">\n");
      chapter.figures.forEach(this::figure);
      out.append("</div>\n");
    }
    findings(chapter.findings);
    chapter.tables.forEach(table -> fold(table.title(), () -> table(table)));
    end(chapter.folded);
  }

  private void begin(String title, boolean folded) {
    out.append(folded ? "<details class=\"section\">\n<summary>" : "<section>\n");
    out.append("<h2>").append(html(title)).append("</h2>");
    out.append(folded ? "</summary>\n" : "\n");
  }

  private void end(boolean folded) {
    out.append(folded ? "</details>\n" : "</section>\n");
  }

  private void fold(String title, Runnable content) {
    out.append("<details>\n<summary>").append(html(title)).append("</summary>\n");
    content.run();
    out.append("</details>\n");
  }

  private void findings(List<ReportFinding> findings) {
    if (findings.isEmpty()) {
      return;
    }
    out.append("<ul class=\"findings\">\n");
    for (ReportFinding finding : findings) {
      FindingVerdict verdict = finding.verdict();
      out.append("<li class=\"").append(verdict.style()).append("\"><b>");
      out.append(verdict.label()).append("</b> ");
      out.append("<span>").append(html(finding.sentence())).append("</span></li>\n");
    }
    out.append("</ul>\n");
  }

  private void figure(ReportFigure figure) {
    out.append("<figure>\n<h3>").append(html(figure.title())).append("</h3>\n");
    out.append(figure.svg()).append('\n');
    if (!figure.caption().isEmpty()) {
      out.append("<figcaption>").append(html(figure.caption())).append("</figcaption>\n");
    }
    List<List<String>> cells = figure.cells();
    fold(
        "Table: " + figure.title(),
        () -> table(figure.title(), i -> i > 0, cells.get(0), cells.subList(1, cells.size())));
    out.append("</figure>\n");
  }

  /* Nothing that is folded names it. */
  private void opening(ResultTable<?> table) {
    out.append("<h2 class=\"name\">").append(html(table.title())).append("</h2>\n");
    table(table);
  }

  private void table(ResultTable<?> table) {
    table(table.title(), table::isFigure, table.header(), table.cells());
    paragraph("note", table.note());
  }

  private void table(
      String name, IntPredicate isFigure, List<String> header, List<List<String>> rows) {
    out.append("<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"")
        .append(plain(name))
        .append("\"><table>\n<thead><tr>");
    for (int i = 0; i < header.size(); i++) {
      cell("th scope=\"col\"", header.get(i), isFigure.test(i));
    }
    out.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : rows) {
      out.append("<tr>");
      for (int i = 0; i < row.size(); i++) {
        boolean names = i == 0 && !row.get(0).isEmpty();
        cell(names ? "th scope=\"row\"" : "td", row.get(i), isFigure.test(i));
      }
      out.append("</tr>\n");
    }
    out.append("</tbody></table></div>\n");
  }

  private void cell(String tag, String text, boolean number) {
    out.append('<').append(tag).append(number ? " class=\"n\">" : ">").append(html(text));
    out.append("</").append(tag, 0, 2).append('>');
  }

  private void facts() {
    begin("How to repeat this", true);
    out.append("<dl>\n");
    report
        .facts
        .asMap()
        .forEach(
            (name, value) -> {
              out.append("<dt>").append(html(name)).append("</dt>");
              out.append("<dd>").append(SafeText.html(value)).append("</dd>\n");
            });
    out.append("</dl>\n");
    end(true);
  }

  private void paragraph(String style, String text) {
    if (!text.isEmpty()) {
      out.append("<p class=\"").append(style).append("\">").append(html(text)).append("</p>\n");
    }
  }

  private static String html(String text) {
    return NameBreaks.html(plain(text));
  }

  /* Without elements. */
  private static String plain(String text) {
    return NumberText.unbroken(SafeText.html(text));
  }

  private static String style() {
    return Uncheck.get(
        () ->
            IOUtils.resourceToString(
                "/io/github/penstock/report/report.css", StandardCharsets.UTF_8));
  }
}
