package io.github.penstock.lua.maven.script;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the comment at the top of a script says about it.
 *
 * @param description one sentence
 * @param notes the free rows ({@code Algorithm}, {@code Source}, {@code Complexity}) that are
 *     there, in their order
 * @param keys the rows of {@code KEYS}
 * @param arguments the rows of {@code ARGV}
 * @param replies the rows of the reply
 * @param singleReply whether the reply is one value instead of a list
 * @param needs the oldest version of Redis that it runs on, if the header says so
 * @param peek the argument that makes the script read only, if there is one
 */
public record Header(
    String description,
    Map<String, String> notes,
    List<Slot> keys,
    List<Slot> arguments,
    List<Slot> replies,
    boolean singleReply,
    Optional<String> needs,
    Optional<Peek> peek) {

  /**
   * An argument with which a script writes nothing.
   *
   * @param argument its index in {@code ARGV}
   * @param name its name
   * @param value the integer that it must be
   */
  public record Peek(int argument, String name, long value) {}

  /** The number of keys, or -1 if there can be any number. */
  public int numberOfKeys() {
    boolean repeated = keys.stream().anyMatch(k -> k.form() == Slot.Form.REPEATED);
    return repeated ? -1 : keys.stream().mapToInt(Slot::size).sum();
  }

  List<Slot> slots(String table) {
    return table.equals("KEYS") ? keys : arguments;
  }
}
