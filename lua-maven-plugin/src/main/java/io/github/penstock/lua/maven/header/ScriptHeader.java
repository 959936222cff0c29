package io.github.penstock.lua.maven.header;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The comment at the top of a script, as data.
 *
 * @param description one sentence
 * @param notes the free rows ({@code Algorithm}, {@code Source}, {@code Complexity}, {@code
 *     Mended}, {@code Flags}) that are there, in their order
 * @param keys the rows of {@code KEYS}
 * @param arguments the rows of {@code ARGV}
 * @param replies the rows of the reply
 * @param singleReply whether the reply is one value instead of a list
 * @param needs the oldest version of Redis that it runs on, if the header says so
 * @param peek the argument that makes the script read only, if there is one
 * @param tier its repeated group and the form of its state in a key, if the header describes it
 */
public record ScriptHeader(
    String description,
    Map<String, String> notes,
    List<HeaderSlot> keys,
    List<HeaderSlot> arguments,
    List<HeaderSlot> replies,
    boolean singleReply,
    Optional<String> needs,
    Optional<PeekArgument> peek,
    Optional<TierContract> tier) {

  /** The row that names a flag of the script's function. */
  static final String FLAGS = "Flags";

  /** The flag of its function, if the header names one. */
  public Optional<String> flag() {
    return Optional.ofNullable(notes.get(FLAGS));
  }

  /**
   * An argument with which a script writes nothing.
   *
   * @param argument its index in {@code ARGV}
   * @param name its name
   * @param value the integer that it must be
   */
  public record PeekArgument(int argument, String name, long value) {}

  /** The number of keys, or -1 if that number varies. */
  public int numberOfKeys() {
    boolean varies = keys.stream().anyMatch(k -> k.form() != HeaderSlot.SlotForm.ONCE);
    return varies ? -1 : keys.stream().mapToInt(HeaderSlot::size).sum();
  }

  public List<HeaderSlot> slots(String table) {
    return table.equals("KEYS") ? keys : arguments;
  }
}
