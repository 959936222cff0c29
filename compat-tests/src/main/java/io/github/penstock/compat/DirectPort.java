package io.github.penstock.compat;

import io.github.penstock.compat.resp.Commands;
import io.github.penstock.compat.resp.RespError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls the scripts without any client library, in one of their forms, after loading them.
 *
 * <p>As safe for use by several threads as the connection that it is given.
 */
public final class DirectPort implements ScriptPort {
  private final Commands server;
  private final ScriptForm form;

  private DirectPort(Commands server, ScriptForm form) {
    this.server = server;
    this.form = form;
  }

  /** Loads the scripts in this form and calls them through the connection. */
  public static DirectPort load(Commands server, ScriptForm form) {
    form.load(server);
    return new DirectPort(server, form);
  }

  @Override
  public ScriptAnswer call(String script, List<String> keys, List<String> arguments) {
    return answer(server.call(form.command(script, keys, arguments)));
  }

  /**
   * Reads what a server answered; an IllegalStateException if it is neither integers nor an error.
   */
  public static ScriptAnswer answer(@Nullable Object answer) {
    if (answer instanceof RespError error) {
      return ScriptAnswer.error(error.text());
    }
    if (answer instanceof List<?> items && items.stream().allMatch(Long.class::isInstance)) {
      return ScriptAnswer.of(items.stream().map(Long.class::cast).toList());
    }
    throw new IllegalStateException("a script must answer integers or an error, not " + answer);
  }
}
