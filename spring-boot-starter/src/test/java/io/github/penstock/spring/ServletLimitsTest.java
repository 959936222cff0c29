package io.github.penstock.spring;

import java.util.List;

/** The rules on Spring MVC. */
class ServletLimitsTest extends HttpLimitRules {
  @Override
  Class<?> application() {
    return LimitedApplication.class;
  }

  @Override
  List<String> arguments() {
    return List.of();
  }
}
