package io.github.penstock.compat.model;

/** One limit of a call: what its stored field means at a time. */
sealed interface Tier permits Window, Bucket {
  /** Nothing used at a time. */
  Level unused(long nowUs);

  /**
   * What is used at a time according to a field of the stored value, cut to what the tier can hold.
   *
   * @throws BadArgument ({@code state}) if the field is not one that a script of protocol 1 writes
   */
  Level read(String field, long nowUs) throws BadArgument;
}
