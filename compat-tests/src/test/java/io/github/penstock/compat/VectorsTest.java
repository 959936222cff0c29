package io.github.penstock.compat;

import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.penstock.compat.vectors.VectorFile;
import io.github.penstock.compat.vectors.VectorRunner;
import io.github.penstock.scripts.DropInScript;
import io.github.penstock.testkit.model.ScriptAlgorithm;
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
    return ScriptRoute.all().stream()
        .map(
            route ->
                dynamicContainer(
                    route.toString(),
                    Stream.concat(
                            Arrays.stream(ScriptAlgorithm.values()).map(VectorFile::of),
                            Arrays.stream(DropInScript.values()).map(VectorFile::of))
                        .map(file -> script(route, file))));
  }

  private static DynamicNode script(ScriptRoute route, VectorFile file) {
    VectorRunner runner =
        new VectorRunner(route.port(), command -> route.connection().call(command));
    return dynamicContainer(
        file.script(),
        file.sequences().stream()
            .map(
                sequence ->
                    dynamicTest(sequence.name(), () -> runner.replay(file.script(), sequence))));
  }
}
