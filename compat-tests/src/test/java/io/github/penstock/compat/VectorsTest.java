package io.github.penstock.compat;

import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.penstock.compat.model.Algorithm;
import io.github.penstock.compat.vectors.VectorFile;
import io.github.penstock.compat.vectors.VectorRunner;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** Every vector, in every form of the scripts, on every server. */
@DisplayName("P11 the vectors hold in every form on every server")
class VectorsTest {

  @TestFactory
  Stream<DynamicNode> vectors() {
    return Lane.all().stream()
        .map(
            lane ->
                dynamicContainer(
                    lane.toString(),
                    Arrays.stream(Algorithm.values()).map(script -> script(lane, script))));
  }

  private static DynamicNode script(Lane lane, Algorithm script) {
    VectorRunner runner = new VectorRunner(lane.port(), command -> lane.connection().call(command));
    return dynamicContainer(
        script.scriptName(),
        VectorFile.of(script).sequences().stream()
            .map(sequence -> dynamicTest(sequence.name(), () -> runner.replay(script, sequence))));
  }
}
