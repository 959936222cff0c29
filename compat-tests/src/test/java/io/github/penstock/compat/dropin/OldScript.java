package io.github.penstock.compat.dropin;

import io.github.penstock.scripts.DropInScript;
import io.github.penstock.testkit.resp.CommandSender;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A rendering of the script that a drop-in replaces, loaded into a server.
 *
 * @param sha1 what the server calls it
 */
record OldScript(String sha1) {

  static OldScript load(CommandSender server, DropInScript script) {
    return new OldScript(String.valueOf(server.call("SCRIPT", "LOAD", source(script))));
  }

  private static String source(DropInScript script) {
    String resource = script.scriptName() + ".lua";
    try (@Nullable InputStream in = OldScript.class.getResourceAsStream(resource)) {
      return new String(
          Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Nullable Object call(CommandSender server, List<String> keys, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of("EVALSHA", sha1));
    command.add(Integer.toString(keys.size()));
    command.addAll(keys);
    command.addAll(arguments);
    return server.call(command.toArray(String[]::new));
  }
}
