package io.github.penstock.simulator.report;

import io.github.penstock.report.text.NumberText;

/** The sentence about who decided. */
public final class CompareText {
  private CompareText() {}

  /** Who made so many decisions: the model, and the scripts about some or all. */
  public static String decisions(long made, long checked) {
    String all = NumberText.count(made, "decision");
    if (checked == 0 && made > 0) {
      return all + " of the exact model. The scripts made none of them: choose a larger --check.";
    }
    return made == checked
        ? all + ", all equal to the exact model."
        : all
            + " of the exact model. Of these the scripts made "
            + NumberText.count(checked)
            + ", too, all equal to it.";
  }
}
