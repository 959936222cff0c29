package io.github.penstock.lua.maven;

import io.github.penstock.lua.maven.output.Bundler;
import io.github.penstock.lua.maven.output.Settings;
import io.github.penstock.lua.maven.script.Problem;
import java.io.File;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedSet;
import java.util.stream.Collectors;
import org.apache.maven.model.Resource;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.jspecify.annotations.Nullable;

/**
 * Turns Lua scripts for Redis into a checked, minified, proved and hashed bundle with Java
 * constants.
 *
 * <p>All broken rules are reported at once; then nothing is written.
 */
@Mojo(name = "bundle", defaultPhase = LifecyclePhase.GENERATE_SOURCES, threadSafe = true)
public final class BundleMojo extends AbstractMojo {
  @Parameter(defaultValue = "${project}", readonly = true, required = true)
  private MavenProject project;

  /** Where the scripts are: {@code *.lua}, and their includes in the folder {@code include}. */
  @Parameter(defaultValue = "${project.basedir}/src/main/lua", property = "lua.sourceDirectory")
  private File sourceDirectory;

  /** Takes the Java sources; it becomes a source root. */
  @Parameter(defaultValue = "${project.build.directory}/generated-sources/lua")
  private File javaDirectory;

  /**
   * Takes scripts, manifest and Functions library, in the folders of the Java package; it becomes a
   * resource root.
   */
  @Parameter(defaultValue = "${project.build.directory}/generated-resources/lua")
  private File resourceDirectory;

  /** The package of the Java sources. */
  @Parameter(required = true)
  private String javaPackage;

  /** The version of the bundle, for the manifest and the constants. */
  @Parameter(defaultValue = "${project.version}")
  private String bundleVersion;

  /** The version of what callers and scripts agree on, for the manifest and the constants. */
  @Parameter(defaultValue = "1")
  private int protocolVersion;

  /** The name of the Functions library; without it there is none. */
  @Parameter private @Nullable String functionsLibrary;

  /**
   * Begins the errors that the Functions library adds, before a colon; {@code {script}} stands for
   * the script's name.
   */
  @Parameter(defaultValue = "ERR {script}")
  private String errorPrefix;

  /**
   * For scripts whose header has no row {@code Peek}: with which argument they only read, as {@code
   * ARGV[1] is 0}.
   */
  @Parameter private @Nullable String peek;

  /** The oldest Redis, for scripts whose header has no row {@code Needs}. */
  @Parameter(defaultValue = "6.0")
  private String minimumServerVersion;

  /**
   * The manifest of names and SHA1s that is kept with the sources and compared; without it nothing
   * is compared.
   */
  @Parameter private @Nullable File manifest;

  /** Writes that manifest instead of comparing it. */
  @Parameter(property = "lua.acceptManifest", defaultValue = "false")
  private boolean acceptManifest;

  /** For Maven, which fills in the parameters. */
  public BundleMojo() {}

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    try {
      Bundler bundler = new Bundler(settings());
      SortedSet<Problem> problems = bundler.run();
      bundler.warnings().forEach(getLog()::warn);
      if (!problems.isEmpty()) {
        throw new MojoFailureException(
            problems.stream().map(Problem::toString).collect(Collectors.joining("\n", "\n", "")));
      }
      bundler.sizes().forEach(getLog()::info);
      addRoots();
    } catch (IOException e) {
      throw new MojoExecutionException("cannot read or write: " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new MojoExecutionException(e.getMessage(), e);
    }
  }

  private Settings settings() throws MojoExecutionException {
    if (!sourceDirectory.isDirectory()) {
      throw new MojoExecutionException("sourceDirectory must be a directory: " + sourceDirectory);
    }
    return new Settings(
        sourceDirectory.toPath().toAbsolutePath().normalize(),
        javaDirectory.toPath(),
        resourceDirectory.toPath(),
        javaPackage,
        bundleVersion,
        protocolVersion,
        Optional.ofNullable(functionsLibrary),
        errorPrefix,
        Optional.ofNullable(peek),
        minimumServerVersion,
        Optional.ofNullable(manifest).map(f -> f.toPath().toAbsolutePath().normalize()),
        acceptManifest,
        "mvn -pl :" + project.getArtifactId() + " -am compile -Dlua.acceptManifest");
  }

  private void addRoots() {
    project.addCompileSourceRoot(javaDirectory.getPath());
    Resource resource = new Resource();
    resource.setDirectory(resourceDirectory.getPath());
    project.addResource(resource);
  }
}
