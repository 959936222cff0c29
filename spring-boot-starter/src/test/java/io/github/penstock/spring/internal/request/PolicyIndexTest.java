package io.github.penstock.spring.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPatternParser;

class PolicyIndexTest {
  private static final PathPatternParser PARSER = new PathPatternParser();
  private static final List<String> PATTERNS =
      List.of(
          "/",
          "/**",
          "/a",
          "/a/b",
          "/a/**",
          "/A/b",
          "/a/{id}",
          "/{any}/b",
          "/a*/b",
          "/*/c",
          "/a/b/{*rest}",
          "/a/",
          "/a//b",
          "/%61",
          "/{id:[a-z]+}",
          "/a.b-c_d~e",
          "/\u0130",
          "/i");

  static {
    PARSER.setCaseSensitive(false);
  }

  /* A request is its path as its parties read it. */
  private static final class PathReader implements RequestReader<List<String>> {
    @Override
    public @Nullable String address(List<String> request) {
      return null;
    }

    @Override
    public @Nullable String user(List<String> request) {
      return null;
    }

    @Override
    public @Nullable String header(List<String> request, String name) {
      return null;
    }

    @Override
    public List<PathContainer> paths(List<String> request) {
      if (request.contains("unreadable")) {
        throw new IllegalArgumentException("unreadable");
      }
      return request.stream().map(PathContainer::parsePath).toList();
    }

    @Override
    public String method(List<String> request) {
      return "GET";
    }
  }

  private static RequestPolicy<List<String>> policy(PathSelection selection, PlanLimits limits) {
    StaticListableBeanFactory beans = new StaticListableBeanFactory();
    return new RequestPolicy<>(
        selection,
        null,
        new RequestPolicy.RequestCaller<>(
            RequestSubject.parse("ip", new PathReader(), beans),
            RequestCost.parse("1", beans),
            null),
        limits,
        null);
  }

  private static List<RequestPolicy<List<String>>> policies() {
    List<RequestPolicy<List<String>>> policies = new ArrayList<>();
    policies.add(policy(new PathSelection(List.of(), List.of(), Set.of()), TestedLimits.ONE));
    for (String pattern : PATTERNS) {
      policies.add(
          policy(
              new PathSelection(List.of(PARSER.parse(pattern)), List.of(), Set.of()),
              TestedLimits.ONE));
    }
    policies.add(
        policy(
            new PathSelection(
                List.of(PARSER.parse("/x"), PARSER.parse("/a/b")),
                List.of(PARSER.parse("/a/**")),
                Set.of()),
            TestedLimits.ONE));
    return policies;
  }

  @ParameterizedTest
  @DisplayName("it finds the policies that select a request, in their order, and no other")
  @ValueSource(
      strings = {
        "",
        "/",
        "/a",
        "/A",
        "/a/",
        "/a/b",
        "/A/B",
        "/a//b",
        "//a/b",
        "/a;x=1/b",
        "/%61/b",
        "/ab/b",
        "/x",
        "/x/c",
        "/a/b/c/d",
        "/a.b-c_d~e",
        "/\u0130",
        "/i",
        "/I",
        "/%c4%b0",
        "/\u212a",
        "/a%2fb",
        "/b /x",
        "/a/b /zzz"
      })
  void equalsOneByOne(String paths) {
    List<RequestPolicy<List<String>>> policies = policies();
    List<String> request = List.of(paths.split(" ", -1));
    List<PathContainer> read = request.stream().map(PathContainer::parsePath).toList();
    assertThat(new PolicyIndex<>(policies, new PathReader()).of(request))
        .isEqualTo(policies.stream().filter(each -> each.requests().selects("GET", read)).toList());
  }

  @Test
  @DisplayName("a request whose path cannot be read is under all policies")
  void unreadable() {
    List<RequestPolicy<List<String>>> policies = policies();
    assertThat(new PolicyIndex<>(policies, new PathReader()).of(List.of("unreadable")))
        .isEqualTo(policies);
  }
}
