package io.github.penstock.compat.suite;

import io.github.penstock.testkit.model.ScriptAlgorithm;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules that hold on every deployment. */
abstract class CommonRules {
  abstract AdapterTrial trial();

  @Nested
  @DisplayName("each algorithm")
  @ParameterizedClass(name = "{0}")
  @EnumSource(ScriptAlgorithm.class)
  class EachAlgorithm extends AlgorithmRules {
    EachAlgorithm(ScriptAlgorithm algorithm) {
      super(algorithm);
    }
  }

  @Nested
  @DisplayName("keys and subjects")
  class Keys extends KeyRules {}

  @Nested
  @DisplayName("batches")
  class Batches extends BatchRules {}

  @Nested
  @DisplayName("scripts on the server")
  class Scripts extends ScriptRules {}

  @Nested
  @DisplayName("asynchronous limiters")
  class Asynchronous extends AsyncRules {}
}
