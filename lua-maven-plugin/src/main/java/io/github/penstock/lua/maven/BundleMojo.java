package io.github.penstock.lua.maven;

import io.github.penstock.lua.maven.output.BundleBuilder;
import io.github.penstock.lua.maven.output.BundleSettings;
import io.github.penstock.lua.maven.output.ScriptGroup;
import io.github.penstock.lua.maven.rule.RuleViolation;
import java.io.File;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
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

  /** The directory of the scripts, {@code *.lua}. */
  @Parameter(defaultValue = "${project.basedir}/src/main/lua", property = "lua.sourceDirectory")
  private File sourceDirectory;

  /**
   * The directory of the includes and of {@code constants.lua}; without it, the folder {@code
   * include} of the source directory. Several executions may share it.
   */
  @Parameter(property = "lua.includeDirectory")
  private @Nullable File includeDirectory;

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

  /**
   * The version of the protocol between callers and scripts, for the manifest and the constants.
   */
  @Parameter(defaultValue = "1")
  private int protocolVersion;

  /** The name of the Functions library; without it there is none. */
  @Parameter private @Nullable String functionsLibrary;

  /**
   * Begins the errors that the Functions library adds, before a colon; {@code {script}} means the
   * script's name.
   */
  @Parameter(defaultValue = "ERR {script}")
  private String errorPrefix;

  /**
   * The argument with which scripts only read, as {@code ARGV[1] is 0}; for scripts whose header
   * has no row {@code Peek}.
   */
  @Parameter private @Nullable String peek;

  /** The oldest Redis, for scripts whose header has no row {@code Needs}. */
  @Parameter(defaultValue = "6.0")
  private String minimumServerVersion;

  /**
   * Directories below the source directory whose scripts have a separate enum: the directory's name
   * as the element, the enum's as its value.
   */
  @Parameter private @Nullable Map<String, String> groups;

  /**
   * The manifest of names and SHA1s that is kept with the sources and compared; without it nothing
   * is compared.
   */
  @Parameter private @Nullable File manifest;

  /** Writes that manifest instead of comparing it. */
  @Parameter(property = "lua.acceptManifest", defaultValue = "false")
  private boolean acceptManifest;

  /** Called by Maven, which then fills in the parameters. */
  public BundleMojo() {}

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    try {
      BundleBuilder bundler = new BundleBuilder(settings());
      SortedSet<RuleViolation> problems = bundler.run();
      bundler.warnings().forEach(getLog()::warn);
      if (!problems.isEmpty()) {
        throw new MojoFailureException(
            problems.stream()
                .map(RuleViolation::toString)
                .collect(Collectors.joining("\n", "\n", "")));
      }
      bundler.sizes().forEach(getLog()::info);
      addRoots();
    } catch (IOException e) {
      throw new MojoExecutionException("cannot read or write: " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new MojoExecutionException(e.getMessage(), e);
    }
  }

  private BundleSettings settings() throws MojoExecutionException {
    if (!sourceDirectory.isDirectory()) {
      throw new MojoExecutionException("sourceDirectory must be a directory: " + sourceDirectory);
    }
    return new BundleSettings(
        sourceDirectory.toPath().toAbsolutePath().normalize(),
        Objects.requireNonNullElseGet(includeDirectory, () -> new File(sourceDirectory, "include"))
            .toPath()
            .toAbsolutePath()
            .normalize(),
        javaDirectory.toPath(),
        resourceDirectory.toPath(),
        javaPackage,
        bundleVersion,
        protocolVersion,
        Optional.ofNullable(functionsLibrary),
        errorPrefix,
        Optional.ofNullable(peek),
        minimumServerVersion,
        Objects.requireNonNullElse(groups, Map.<String, String>of()).entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(group -> new ScriptGroup(group.getKey(), group.getValue()))
            .toList(),
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
