package io.github.penstock.compat.suite;

import io.github.penstock.compat.ScriptAnswer;
import io.github.penstock.compat.ScriptPort;
import io.github.penstock.compat.model.Algorithm;
import io.github.penstock.core.ScriptRefusedException;
import io.github.penstock.core.spi.ScriptRunner;
import java.util.List;

/**
 * Calls the scripts through an adapter, as the vectors need it.
 *
 * @param scripts the adapter's scripts
 */
record AdapterScripts(ScriptRunner scripts) implements ScriptPort {
  @Override
  public ScriptAnswer call(String script, List<String> keys, List<String> arguments) {
    try {
      return ScriptAnswer.of(
          scripts.run(TimedKey.script(Algorithm.named(script)), keys.get(0), arguments));
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
