package io.github.penstock.spring.configure;

import static io.github.penstock.spring.configure.WrongPropertyException.checked;

import io.github.penstock.spring.internal.request.PathSelection;
import io.github.penstock.spring.internal.request.RequestCost;
import io.github.penstock.spring.internal.request.RequestExpression;
import io.github.penstock.spring.internal.request.RequestPolicy;
import io.github.penstock.spring.internal.request.RequestPolicy.AlsoPolicy;
import io.github.penstock.spring.internal.request.RequestPolicy.RequestCaller;
import io.github.penstock.spring.internal.request.RequestReader;
import io.github.penstock.spring.internal.request.RequestSubject;
import io.github.penstock.spring.internal.settings.PenstockProperties;
import io.github.penstock.spring.internal.settings.PolicyProperties;
import io.github.penstock.spring.internal.settings.PolicyProperties.Place;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
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
 * @param registry the limits
 * @param beans for expressions
 * @param parser the framework's parser of patterns
 * @param actuator the path of Actuator's endpoints
 * @param reader reads a request
 * @param <R> the request
 */
record PolicyAssembler<R>(
    PenstockProperties properties,
    PolicyRegistry registry,
    BeanFactory beans,
    PathPatternParser parser,
    String actuator,
    RequestReader<R> reader) {
  /** The bean that applies policies of handlers. */
  static final String HANDLERS = "penstockHandlerPolicies";

  /** The bean that applies policies of routes. */
  static final String ROUTES = "penstockRateLimiter";

  /** The bean that settles the units that policies hold in Spring MVC. */
  static final String SETTLEMENT = "penstockSettlement";

  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE");

  /** The policies of one place and order, in the order of the properties. */
  List<RequestPolicy<R>> policies(Predicate<PolicyProperties> chosen) {
    return properties.policies().entrySet().stream()
        .filter(policy -> chosen.test(policy.getValue()))
        .map(policy -> policy(policy.getKey(), policy.getValue()))
        .toList();
  }

  /** The policies that decide when a handler is found, in their order. */
  List<RequestPolicy<R>> handlerPolicies() {
    return properties.policies().entrySet().stream()
        .filter(policy -> policy.getValue().at() == Place.HANDLER)
        .sorted(Comparator.comparingInt(policy -> order(policy.getValue())))
        .map(policy -> policy(policy.getKey(), policy.getValue()))
        .toList();
  }

  private static int order(PolicyProperties policy) {
    Integer order = policy.order();
    return order == null ? 0 : order;
  }

  private RequestPolicy<R> policy(String name, PolicyProperties policy) {
    String property = "penstock.policies." + name;
    return new RequestPolicy<>(
        selection(property, policy),
        expression(property + ".skip-if", policy.skipIf()),
        caller(property, policy),
        registry.of(name),
        also(policy));
  }

  private RequestCaller<R> caller(String property, PolicyProperties policy) {
    return new RequestCaller<>(
        checked(
            property + ".subject",
            () -> RequestSubject.parse(or(policy.subject(), "ip"), reader, beans)),
        checked(property + ".cost", () -> RequestCost.parse(or(policy.cost(), "1"), beans)),
        expression(property + ".plan", policy.plan()));
  }

  /** The policy that is decided with another; null if there is none. */
  @Nullable AlsoPolicy<R> also(PolicyProperties policy) {
    String name = policy.also();
    if (name == null) {
      return null;
    }
    PolicyProperties other = Objects.requireNonNull(properties.policies().get(name));
    return new AlsoPolicy<>(
        caller("penstock.policies." + name, other), other.cost() != null, registry.of(name));
  }

  private static String or(@Nullable String text, String standard) {
    return text == null ? standard : text;
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

  /* Below the root, Actuator's endpoints cannot be distinguished from the application's. */
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
