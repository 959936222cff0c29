package io.github.penstock.compat.dropin;

import io.github.penstock.compat.ScriptRoute;
import io.github.penstock.compat.vectors.VectorRunner;
import io.github.penstock.compat.vectors.VectorSequence;
import io.github.penstock.scripts.DropInScript;
import io.github.penstock.testkit.model.StoredValue;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;

/**
 * Random sequences of calls: drop-in against model, reply for reply, byte for byte of state, in
 * every form on every server.
 */
class DropInModelTest {
  private static final int STEPS = 25;

  @Property(tries = 60)
  @Label("P5 P9 P11 the drop-ins do what their model does")
  void scriptsEqualModel(@ForAll DropInScript script, @ForAll Random random) {
    VectorSequence sequence = sequence(script, random);
    for (ScriptRoute route : ScriptRoute.all()) {
      new VectorRunner(route.port(), command -> route.connection().call(command))
          .replay(script.scriptName(), sequence);
    }
  }

  private static VectorSequence sequence(DropInScript script, Random random) {
    RandomArguments arguments = new RandomArguments(script, random, true, true);
    DropInSequence sequence = new DropInSequence(script, "P11 random calls");
    for (int step = 0; step < STEPS; step++) {
      if (step > 0 && random.nextInt(12) == 0) {
        boolean second = script.numberOfKeys() == 2 || script == DropInScript.TOKEN_BATCHES;
        sequence.before(
            random.nextBoolean() ? StoredValue.NOTHING : null,
            second && random.nextBoolean() ? StoredValue.NOTHING : null);
      }
      sequence.raw(arguments.next());
    }
    return sequence.build(VectorSequence.Origin.MODEL);
  }
}
