package io.github.penstock.benchmarks.report;

/**
 * A picture with the sentence under it; made by {@link Bars} or {@link Lines}.
 *
 * @param title what is shown, in a few words
 * @param caption how to read it, plain text, may be empty
 * @param svg an {@code <svg>} element, or a paragraph that says why there is none
 */
public record Figure(String title, String caption, String svg) {}
