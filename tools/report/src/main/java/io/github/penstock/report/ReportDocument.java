package io.github.penstock.report;

import io.github.penstock.report.table.ResultTable;
import java.util.ArrayList;
import java.util.List;

/**
 * The findings of a command, for a reader who has never seen the project. Not safe for use by
 * several threads.
 */
public final class ReportDocument {
  final String title;
  final String lead;
  final RunFacts facts;
  final List<ResultTable<?>> opening = new ArrayList<>();
  String advice = "";
  String toCopy = "";
  String linkText = "";
  String link = "";
  final List<ReportFinding> glance = new ArrayList<>();
  final List<ReportChapter> chapters = new ArrayList<>();

  /**
   * A report without chapters.
   *
   * @param title a few words
   * @param lead the activity in one or two sentences of plain text
   * @param facts how it can be repeated
   */
  public ReportDocument(String title, String lead, RunFacts facts) {
    this.title = title;
    this.lead = lead;
    this.facts = facts;
  }

  /** Puts a table first, below those before: for a reader with only ten seconds. */
  public ReportDocument opens(ResultTable<?> table) {
    opening.add(table);
    return this;
  }

  /**
   * Puts one sentence above the first table.
   *
   * @param sentence plain text
   * @param text a command or a limit to copy; may be empty
   */
  public ReportDocument recommends(String sentence, String text) {
    advice = sentence;
    toCopy = text;
    return this;
  }

  /** Puts a link below the first table. */
  public ReportDocument links(String text, String url) {
    linkText = text;
    link = url;
    return this;
  }

  /** Adds one of the few sentences at the top, for a reader who reads nothing else. */
  public ReportDocument inShort(ReportFinding finding) {
    glance.add(finding);
    return this;
  }

  /** Adds a chapter; an empty one is left out, and the first stands open. */
  public ReportDocument add(ReportChapter chapter) {
    if (!chapter.isEmpty()) {
      chapter.collapsed &= !chapters.isEmpty();
      chapters.add(chapter);
    }
    return this;
  }
}
