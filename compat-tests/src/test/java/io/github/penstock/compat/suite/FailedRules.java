package io.github.penstock.compat.suite;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The tests that failed in a run.
 *
 * @param failures what each failed test said, by its display name
 * @param succeeded how many tests passed
 */
record FailedRules(Map<String, Throwable> failures, int succeeded) {
  /** Runs the selected tests. */
  static FailedRules of(DiscoverySelector selector) {
    Results results = new Results();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selector)
            .filters(EngineFilter.includeEngines("junit-jupiter"))
            .configurationParameter(RateLimiterCompatibilityTest.FailureConsole.SILENT, "true")
            .build();
    LauncherFactory.create().execute(request, results);
    return new FailedRules(results.failures, results.succeeded);
  }

  /** The display names of the failed tests. */
  Set<String> tests() {
    return failures.keySet();
  }

  private static final class Results implements TestExecutionListener {
    private final Map<String, Throwable> failures = new LinkedHashMap<>();
    private int succeeded;

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (result.getStatus() == Status.FAILED) {
        failures.put(test.getDisplayName(), result.getThrowable().orElseThrow());
      } else if (test.isTest() && result.getStatus() == Status.SUCCESSFUL) {
        succeeded++;
      }
    }
  }
}
