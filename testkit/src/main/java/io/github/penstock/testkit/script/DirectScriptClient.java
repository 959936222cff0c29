package io.github.penstock.testkit.script;

import io.github.penstock.testkit.resp.CommandSender;
import io.github.penstock.testkit.resp.RespError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls the scripts without any client library, in one of their forms, after loading them.
 *
 * <p>As safe for use by several threads as the connection that it is given.
 */
public final class DirectScriptClient implements ScriptClient {
  private final CommandSender server;
  private final ScriptForm form;

  private DirectScriptClient(CommandSender server, ScriptForm form) {
    this.server = server;
    this.form = form;
  }

  /** Loads the scripts in this form and calls them through the connection. */
  public static DirectScriptClient load(CommandSender server, ScriptForm form) {
    form.load(server);
    return new DirectScriptClient(server, form);
  }

  @Override
  public ScriptAnswer call(String script, List<String> keys, List<String> arguments) {
    return answer(server.call(form.command(script, keys, arguments)));
  }

  /** Reads what a server answered. */
  public static ScriptAnswer answer(@Nullable Object answer) {
    if (answer instanceof RespError error) {
      return ScriptAnswer.error(error.text());
    }
    return new ScriptAnswer(answer, null);
  }
}
