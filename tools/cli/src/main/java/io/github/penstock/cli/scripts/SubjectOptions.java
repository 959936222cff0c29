package io.github.penstock.cli.scripts;

import io.github.penstock.operations.state.KeyName;
import io.github.penstock.report.console.UserErrorException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A subject under a policy, in place of a key. */
final class SubjectOptions {
  @Option(names = "--policy", paramLabel = "POLICY", description = "instead of a key: the policy.")
  private @Nullable String policy;

  @Option(
      names = "--subject",
      paramLabel = "SUBJECT",
      description = "with --policy: the subject, as callers write it.")
  private @Nullable String subject;

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      defaultValue = "penstock",
      description = "the prefix of the policy's keys (default ${DEFAULT-VALUE}).")
  private String prefix = "";

  /**
   * The key, or the prefix of all keys of the subject.
   *
   * @throws UserErrorException if it is not one or the other
   */
  String headInsteadOf(@Nullable String key) {
    if (key != null) {
      if (policy != null || subject != null) {
        throw new UserErrorException("give a key, or --policy and --subject, not both.");
      }
      return key;
    }
    if (policy == null || subject == null) {
      throw new UserErrorException("give a key, or both --policy and --subject.");
    }
    return KeyName.beforeMarker(prefix, policy, subject);
  }
}
