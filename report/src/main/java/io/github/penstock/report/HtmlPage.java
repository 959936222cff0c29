package io.github.penstock.report;

import static io.github.penstock.report.text.SafeText.html;

import io.github.penstock.report.chart.ReportFigure;
import io.github.penstock.report.chart.SeriesColor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

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
    out.append("<meta name=\"color-scheme\" content=\"light dark\">\n");
    out.append("<title>").append(html(report.title)).append("</title>\n");
    out.append("<style>\n")
        .append(SeriesColor.style())
        .append(style())
        .append("</style>\n</head>\n<body>\n<main>\n");
    head();
    report.chapters.forEach(this::pictures);
    tables();
    facts();
    return out.append("</main>\n</body>\n</html>\n").toString();
  }

  private void head() {
    out.append("<header>\n<h1>").append(html(report.title)).append("</h1>\n");
    paragraph("lead", report.lead);
    findings(report.glance);
    out.append("</header>\n");
  }

  private void pictures(ReportChapter chapter) {
    out.append("<section>\n<h2>").append(html(chapter.title)).append("</h2>\n");
    paragraph("introduction", chapter.introduction);
    if (!chapter.figures.isEmpty()) {
      out.append("<div class=\"figures\">\n");
      chapter.figures.forEach(this::figure);
      out.append("</div>\n");
    }
    findings(chapter.findings);
    out.append("</section>\n");
  }

  private void findings(List<ReportFinding> findings) {
    if (findings.isEmpty()) {
      return;
    }
    out.append("<ul class=\"findings\">\n");
    for (ReportFinding finding : findings) {
      String verdict = finding.verdict().label();
      out.append("<li class=\"").append(verdict).append("\"><b>").append(verdict).append("</b> ");
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
    out.append("</figure>\n");
  }

  private void tables() {
    if (report.chapters.stream().allMatch(chapter -> chapter.tables.isEmpty())) {
      return;
    }
    out.append("<section>\n<h2>The figures</h2>\n");
    report.chapters.forEach(chapter -> chapter.tables.forEach(this::table));
    out.append("</section>\n");
  }

  private void table(DataTable table) {
    out.append("<h3>").append(html(table.title)).append("</h3>\n");
    out.append("<div class=\"table\" tabindex=\"0\"><table>\n<thead><tr>");
    cells("th", table.header, table.textColumns);
    out.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : table.rows) {
      out.append("<tr>");
      cells("td", row, table.textColumns);
      out.append("</tr>\n");
    }
    out.append("</tbody></table></div>\n");
    paragraph("note", table.note);
  }

  private void cells(String tag, List<String> cells, int textColumns) {
    for (int i = 0; i < cells.size(); i++) {
      out.append('<').append(tag).append(i < textColumns ? ">" : " class=\"n\">");
      out.append(html(cells.get(i))).append("</").append(tag).append('>');
    }
  }

  private void facts() {
    out.append("<section class=\"facts\">\n<h2>How to repeat this</h2>\n<dl>\n");
    report
        .facts
        .asMap()
        .forEach(
            (name, value) -> {
              out.append("<dt>").append(html(name)).append("</dt>");
              out.append("<dd>").append(html(value)).append("</dd>\n");
            });
    out.append("</dl>\n</section>\n");
  }

  private void paragraph(String style, String text) {
    if (!text.isEmpty()) {
      out.append("<p class=\"").append(style).append("\">").append(html(text)).append("</p>\n");
    }
  }

  private static String style() {
    try (InputStream in =
        Objects.requireNonNull(HtmlPage.class.getResourceAsStream("report.css"), "report.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
