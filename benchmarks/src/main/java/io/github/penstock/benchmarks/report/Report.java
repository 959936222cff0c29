package io.github.penstock.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/**
 * What a command found out, for a person who has never seen the project. Not safe for use by
 * several threads.
 */
public final class Report {
  private final String title;
  private final String lead;
  private final Facts facts;
  private final List<Finding> glance = new ArrayList<>();
  private final List<Chapter> chapters = new ArrayList<>();

  /**
   * A report without chapters.
   *
   * @param title a few words
   * @param lead what was done, in one or two sentences of plain text
   * @param facts how it can be repeated
   */
  public Report(String title, String lead, Facts facts) {
    this.title = title;
    this.lead = lead;
    this.facts = facts;
  }

  /** Adds one of the few sentences that stand first, for a reader who reads nothing else. */
  public Report inShort(Finding finding) {
    glance.add(finding);
    return this;
  }

  /** Adds a chapter; an empty one is left out. */
  public Report add(Chapter chapter) {
    if (!chapter.isEmpty()) {
      chapters.add(chapter);
    }
    return this;
  }

  String title() {
    return title;
  }

  String lead() {
    return lead;
  }

  Facts facts() {
    return facts;
  }

  List<Finding> glance() {
    return glance;
  }

  List<Chapter> chapters() {
    return chapters;
  }
}
