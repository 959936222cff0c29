package io.github.penstock.cli.scripts;

import static io.github.penstock.report.ReportFiles.fields;

import io.github.penstock.operations.node.NodeReport;
import io.github.penstock.report.console.LineWrap;
import io.github.penstock.report.table.ResultTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The servers of a deployment and their scripts, as lines and as values. */
record NodesOutput(List<NodeReport> nodes) {
  NodesOutput {
    nodes = List.copyOf(nodes);
  }

  /** Prints them. Returns the exit code. */
  int print(CommandOutput output) {
    boolean complete = nodes.stream().allMatch(NodeReport::isComplete);
    output.print(
        this::lines, fields("complete", complete, "nodes", table().json(), "warnings", warnings()));
    return complete ? 0 : ScriptsCommand.INCOMPLETE;
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>(table().lines());
    nodes.stream()
        .flatMap(node -> node.complaints().stream())
        .forEach(complaint -> lines.addAll(LineWrap.lines(complaint)));
    warnings().forEach(warning -> lines.addAll(LineWrap.lines("Warning: " + warning)));
    long complete = nodes.stream().filter(NodeReport::isComplete).count();
    lines.add("Complete: %d of %d.".formatted(complete, nodes.size()));
    return lines;
  }

  private List<String> warnings() {
    return Stream.concat(
            nodes.stream().flatMap(node -> node.warnings().stream()),
            Stream.ofNullable(NodeReport.clockWarning(nodes)))
        .toList();
  }

  private ResultTable<NodeReport> table() {
    return new ResultTable<NodeReport>("Servers", nodes)
        .words("server", node -> node.address().toString())
        .field("address")
        .words("role", NodeReport::role)
        .field("role")
        .words("scripts", NodeReport::summary)
        .field("complete", NodeReport::isComplete)
        .field("problem", NodeReport::problem)
        .field("items", NodeReport::items);
  }
}
