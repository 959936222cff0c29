package io.github.penstock.report.table;

/**
 * A cell of a page.
 *
 * @param figure whether it is right-aligned
 * @param name whether it names its row
 */
public record TableCell(String text, boolean figure, boolean name) {}
