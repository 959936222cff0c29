package io.github.penstock.operations.bundle;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.scripts.DropInScript;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.scripts.ReservationScript;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A script that can be loaded.
 *
 * @param source the bytes that ship
 */
public record BundleItem(String name, String sha1, String source) {
  private static final List<BundleItem> NATIVE =
      Stream.of(LuaScript.values())
          .map(script -> new BundleItem(script.scriptName(), script.sha1(), script.source()))
          .toList();

  private static final List<BundleItem> RESERVATIONS =
      Stream.of(ReservationScript.values())
          .map(script -> new BundleItem(script.scriptName(), script.sha1(), script.source()))
          .toList();

  private static final List<BundleItem> DROP_INS =
      Stream.of(DropInScript.values())
          .map(script -> new BundleItem(script.scriptName(), script.sha1(), script.source()))
          .toList();

  /**
   * The scripts with these names; those of the protocol without names.
   *
   * @throws UserErrorException if the script is unknown
   */
  public static List<BundleItem> named(List<String> names) {
    return names.isEmpty() ? NATIVE : names.stream().distinct().map(BundleItem::named).toList();
  }

  private static BundleItem named(String name) {
    return all()
        .filter(item -> item.name.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new UserErrorException(
                    "there is no script '%s': it must be one of %s."
                        .formatted(
                            SafeText.terminal(name),
                            all().map(BundleItem::name).collect(Collectors.joining(", ")))));
  }

  private static Stream<BundleItem> all() {
    return Stream.of(NATIVE, RESERVATIONS, DROP_INS).flatMap(List::stream);
  }
}
