package io.github.penstock.lua.maven;

import io.github.penstock.lua.maven.output.ChecksumFile;
import java.io.File;
import java.io.IOException;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Writes {@code SHA256SUMS} over every other file of a directory, as {@code sha256sum --check}
 * reads it.
 */
@Mojo(name = "checksums", defaultPhase = LifecyclePhase.PREPARE_PACKAGE, threadSafe = true)
public final class ChecksumsMojo extends AbstractMojo {
  /** The directory. */
  @Parameter(required = true)
  private File directory;

  /** Called by Maven, which then fills in the parameters. */
  public ChecksumsMojo() {}

  @Override
  public void execute() throws MojoExecutionException {
    if (!directory.isDirectory()) {
      throw new MojoExecutionException("directory must be a directory: " + directory);
    }
    try {
      ChecksumFile.write(directory.toPath());
    } catch (IOException e) {
      throw new MojoExecutionException("cannot read or write: " + e.getMessage(), e);
    }
  }
}
