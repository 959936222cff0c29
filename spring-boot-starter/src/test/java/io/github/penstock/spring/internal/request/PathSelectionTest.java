package io.github.penstock.spring.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPatternParser;

/** A path that is read in two ways. */
class PathSelectionTest {
  private static PathSelection selection(List<String> paths, List<String> exclude) {
    PathPatternParser parser = PathPatternParser.defaultInstance;
    return new PathSelection(
        paths.stream().map(parser::parse).toList(),
        exclude.stream().map(parser::parse).toList(),
        Set.of("GET"));
  }

  private static boolean selects(PathSelection selection, String... readings) {
    return selection.selects("GET", Stream.of(readings).map(PathContainer::parsePath).toList());
  }

  @Test
  @DisplayName("one reading is enough to select, all are needed to exclude")
  void readings() {
    PathSelection login = selection(List.of("/login"), List.of("/actuator/**"));
    assertThat(selects(login, "/login", "/login")).isTrue();
    assertThat(selects(login, "//login", "/login")).isTrue();
    assertThat(selects(login, "/login", "/other")).isTrue();
    assertThat(selects(login, "/other", "/other")).isFalse();
    PathSelection all = selection(List.of(), List.of("/actuator/**"));
    assertThat(selects(all, "/actuator/health", "/actuator/health")).isFalse();
    assertThat(selects(all, "/actuator/..;/login", "/login")).isTrue();
    assertThat(selects(all, "/login", "/actuator/health")).isTrue();
    assertThat(all.selects("POST", List.of(PathContainer.parsePath("/login")))).isFalse();
  }
}
