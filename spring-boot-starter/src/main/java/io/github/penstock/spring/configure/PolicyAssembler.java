package io.github.penstock.spring.configure;

import static io.github.penstock.spring.configure.WrongPropertyException.checked;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.spring.configure.PolicyProperties.Place;
import io.github.penstock.spring.request.PathSelection;
import io.github.penstock.spring.request.PlanLimit;
import io.github.penstock.spring.request.PlanLimits;
import io.github.penstock.spring.request.RequestCost;
import io.github.penstock.spring.request.RequestExpression;
import io.github.penstock.spring.request.RequestPolicy;
import io.github.penstock.spring.request.RequestReader;
import io.github.penstock.spring.request.RequestSubject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * Makes the policies that the properties describe, for one kind of request.
 *
 * @param properties the properties
 * @param beans for expressions
 * @param parser of patterns, as the framework has it
 * @param actuator the path of Actuator's endpoints
 * @param reader reads a request
 * @param matching how a selection of paths is asked
 * @param <R> the request
 */
record PolicyAssembler<R>(
    PenstockProperties properties,
    BeanFactory beans,
    PathPatternParser parser,
    String actuator,
    RequestReader<R> reader,
    Function<PathSelection, Predicate<R>> matching) {
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE");

  /** The policies of one filter, in their order. */
  <L> List<RequestPolicy<R, L>> policies(
      Predicate<PolicyProperties> chosen,
      Function<PolicyProperties, BiFunction<String, Limit, L>> limiters) {
    return properties.policies().entrySet().stream()
        .filter(policy -> policy.getValue().at() == Place.FILTER && chosen.test(policy.getValue()))
        .map(
            policy ->
                policy(
                    policy.getKey(),
                    policy.getValue(),
                    checked(
                        "penstock.policies." + policy.getKey() + ".deadline",
                        () -> limiters.apply(policy.getValue()))))
        .toList();
  }

  private <L> RequestPolicy<R, L> policy(
      String name, PolicyProperties policy, BiFunction<String, Limit, L> limiters) {
    String property = "penstock.policies." + name;
    Duration deadline = policy.deadline();
    return new RequestPolicy<>(
        name,
        matching.apply(selection(property, policy)),
        expression(property + ".skip-if", policy.skipIf()),
        checked(
            property + ".subject",
            () -> RequestSubject.parse(or(policy.subject(), "ip"), reader, beans)),
        checked(property + ".cost", () -> RequestCost.parse(or(policy.cost(), "1"), beans)),
        new PlanLimits<>(
            expression(property + ".plan", policy.plan()), plans(property, name, policy, limiters)),
        policy.dryRun(),
        deadline == null ? properties.deadline() : deadline);
  }

  private static String or(@Nullable String text, String standard) {
    return text == null ? standard : text;
  }

  private <L> Map<String, PlanLimit<L>> plans(
      String property,
      String name,
      PolicyProperties policy,
      BiFunction<String, Limit, L> limiters) {
    Map<String, String> texts = policy.texts();
    if (texts.isEmpty() || policy.limit() != null && texts.size() > 1) {
      throw new WrongPropertyException(
          property + ".limit", "a policy must have either a limit or limits by plan", null);
    }
    if (policy.limit() == null && policy.plan() == null) {
      throw new WrongPropertyException(
          property + ".plan", "limits by plan need an expression of the plan", null);
    }
    Map<String, PlanLimit<L>> plans = new LinkedHashMap<>();
    texts.forEach(
        (plan, text) ->
            plans.put(
                plan,
                checked(
                    property + (plan.isEmpty() ? ".limit" : ".limits." + plan),
                    () -> plan(name, limit(text), limiters))));
    return plans;
  }

  static Limit limit(String text) {
    Limit limit = Limits.parse(text);
    if (limit.kind().queues()) {
      throw new IllegalArgumentException(
          "a request cannot wait for its turn, so a policy takes no " + limit.algorithm());
    }
    return limit;
  }

  private <L> PlanLimit<L> plan(String name, Limit limit, BiFunction<String, Limit, L> limiters) {
    return PlanLimit.of(name, limiters.apply(name, limit), limit, properties.headers().form());
  }

  private @Nullable RequestExpression expression(String property, @Nullable String text) {
    return text == null ? null : checked(property, () -> RequestExpression.of(text, beans));
  }

  private PathSelection selection(String property, PolicyProperties policy) {
    List<String> exclude = policy.exclude();
    return new PathSelection(
        patterns(property + ".paths", policy.paths()),
        patterns(property + ".exclude", exclude == null ? actuators() : exclude),
        methods(property + ".methods", policy.methods()));
  }

  /* Below the root, Actuator's endpoints cannot be told from the application's. */
  List<String> actuators() {
    String path = actuator.replaceAll("/+$", "");
    return path.isEmpty() ? List.of() : List.of(path, path + "/**");
  }

  private List<PathPattern> patterns(String property, List<String> texts) {
    return texts.stream().map(text -> checked(property, () -> pattern(text))).toList();
  }

  private PathPattern pattern(String text) {
    try {
      if (!text.startsWith("/")) {
        throw new IllegalArgumentException("a path must begin with a slash: \"" + text + "\"");
      }
      return parser.parse(text);
    } catch (PatternParseException wrong) {
      throw new IllegalArgumentException(wrong.toDetailedString(), wrong);
    }
  }

  private static Set<String> methods(String property, List<String> texts) {
    Set<String> methods = new TreeSet<>();
    for (String text : texts) {
      String method = text.toUpperCase(Locale.ROOT);
      if (!METHODS.contains(method)) {
        throw new WrongPropertyException(
            property, "must be of " + new TreeSet<>(METHODS) + ": " + text, null);
      }
      methods.add(method);
      if (method.equals("GET")) {
        methods.add("HEAD");
      }
    }
    return methods;
  }
}
