package io.github.penstock.compat.script;

import io.github.penstock.core.ScriptRefusedException;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.script.ScriptAnswer;
import io.github.penstock.testkit.script.ScriptClient;
import java.util.List;

/**
 * Calls the scripts through an adapter, as the vectors need it.
 *
 * @param scripts the adapter's scripts
 */
public record AdapterScriptClient(ScriptRunner scripts) implements ScriptClient {
  @Override
  public ScriptAnswer call(String script, List<String> keys, List<String> arguments) {
    try {
      return ScriptAnswer.of(
          scripts.run(TimedKey.script(ScriptAlgorithm.named(script)), keys.get(0), arguments));
    } catch (ScriptRefusedException refused) {
      return ScriptAnswer.error("ERR " + refused.getMessage());
    } catch (RuntimeException failure) {
      return ScriptAnswer.error(wrongType(failure));
    }
  }

  private static String wrongType(RuntimeException failure) {
    for (Throwable told = failure; told != null; told = told.getCause()) {
      String text = String.valueOf(told.getMessage());
      if (text.contains("WRONGTYPE")) {
        return text;
      }
    }
    throw failure;
  }
}
