package io.github.penstock.lua.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.maven.model.Resource;
import org.apache.maven.plugin.Mojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.project.MavenProject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundleMojoTest {
  @TempDir Path root;
  private final MavenProject project = new MavenProject();
  private final BundleMojo goal = new BundleMojo();

  @BeforeEach
  void configure() throws Exception {
    project.setArtifactId("jobs");
    set(goal, "project", project);
    set(goal, "sourceDirectory", new File("src/test/resources/project/lua"));
    set(goal, "javaDirectory", root.resolve("java").toFile());
    set(goal, "resourceDirectory", root.resolve("resources").toFile());
    set(goal, "javaPackage", "com.example");
    set(goal, "bundleVersion", "1");
    set(goal, "protocolVersion", 1);
    set(goal, "errorPrefix", "ERR {script}");
    set(goal, "minimumServerVersion", "6.0");
  }

  @Test
  @DisplayName("bundle writes, and adds its directories to the project")
  void bundle() throws Exception {
    goal.execute();
    assertThat(project.getCompileSourceRoots()).containsExactly(root.resolve("java").toString());
    assertThat(project.getResources())
        .extracting(Resource::getDirectory)
        .containsExactly(root.resolve("resources").toString());
    assertThat(root.resolve("java/com/example/LuaScript.java")).exists();
    assertThat(root.resolve("resources/com/example/manifest.json")).exists();
  }

  @Test
  @DisplayName(
      "broken rules fail the build together, and name the command that accepts a changed script")
  void failure() throws Exception {
    set(goal, "manifest", root.resolve("none.json").toFile());
    assertThatThrownBy(goal::execute)
        .isInstanceOf(MojoFailureException.class)
        .hasMessageEndingWith("To accept it: mvn -pl :jobs -am compile -Dlua.acceptManifest");
    set(goal, "sourceDirectory", Files.createDirectory(root.resolve("broken")).toFile());
    Files.writeString(root.resolve("broken/one.lua"), "x = 1");
    Files.writeString(root.resolve("broken/two.lua"), "return goto");
    assertThatThrownBy(goal::execute)
        .isInstanceOf(MojoFailureException.class)
        .hasMessageContaining("\nbroken/one.lua:1: header: ")
        .hasMessageContaining("\nbroken/two.lua:1: syntax: ");
  }

  @Test
  @DisplayName("parameters that cannot be used are named")
  void parameters() throws Exception {
    set(goal, "protocolVersion", 0);
    assertThatThrownBy(goal::execute)
        .isInstanceOf(MojoExecutionException.class)
        .hasMessage("protocolVersion must be at least 1");
    set(goal, "sourceDirectory", root.resolve("nowhere").toFile());
    assertThatThrownBy(goal::execute)
        .hasMessageStartingWith("sourceDirectory must be a directory: ");
  }

  @Test
  @DisplayName("checksums needs a directory and fills it")
  void checksums() throws Exception {
    ChecksumsMojo sums = new ChecksumsMojo();
    set(sums, "directory", root.resolve("nowhere").toFile());
    assertThatThrownBy(sums::execute).hasMessageStartingWith("directory must be a directory: ");
    set(sums, "directory", root.toFile());
    sums.execute();
    assertThat(root.resolve("SHA256SUMS")).exists();
  }

  private static void set(Mojo mojo, String parameter, Object value)
      throws ReflectiveOperationException, IOException {
    Field field = mojo.getClass().getDeclaredField(parameter);
    field.setAccessible(true);
    field.set(mojo, value);
  }
}
