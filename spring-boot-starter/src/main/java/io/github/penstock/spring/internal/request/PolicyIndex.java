package io.github.penstock.spring.internal.request;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Finds the policies that apply to a request, by the first segments of their patterns: the cost
 * depends on the length of the path and not on the number of policies. Immutable.
 *
 * @param <R> the request
 */
final class PolicyIndex<R> {
  /* Any other element of a pattern may match several texts. */
  private static final Pattern LITERAL = Pattern.compile("[A-Za-z0-9_.~-]+");

  private final List<RequestPolicy<R>> policies;
  private final RequestReader<R> reader;
  private final PathNode root = new PathNode();

  /** Patterns that begin with the same segments. */
  private static final class PathNode {
    private final Map<String, PathNode> below = new HashMap<>();
    private final BitSet here = new BitSet();
  }

  /** An index of policies, in the order in which they decide. */
  PolicyIndex(List<RequestPolicy<R>> policies, RequestReader<R> reader) {
    this.policies = List.copyOf(policies);
    this.reader = reader;
    for (int i = 0; i < policies.size(); i++) {
      List<PathPattern> paths = policies.get(i).requests().paths();
      if (paths.isEmpty()) {
        root.here.set(i);
      }
      for (PathPattern path : paths) {
        node(path).here.set(i);
      }
    }
  }

  private PathNode node(PathPattern path) {
    PathNode node = root;
    for (String segment : path.getPatternString().substring(1).split("/", -1)) {
      if (!LITERAL.matcher(segment).matches()) {
        break;
      }
      node = node.below.computeIfAbsent(folded(segment), missing -> new PathNode());
    }
    return node;
  }

  /** The policies that select a request, in their order; all if its path cannot be read. */
  List<RequestPolicy<R>> of(R request) {
    try {
      return reader.isLimited(request) ? found(request) : List.of();
    } catch (RuntimeException unreadable) {
      return policies;
    }
  }

  private List<RequestPolicy<R>> found(R request) {
    String method = reader.method(request);
    List<PathContainer> paths = reader.paths(request);
    BitSet candidates = new BitSet();
    paths.forEach(path -> collect(path, candidates));
    List<RequestPolicy<R>> found = new ArrayList<>();
    candidates.stream()
        .mapToObj(policies::get)
        .filter(policy -> policy.requests().selects(method, paths))
        .forEach(found::add);
    return found;
  }

  private void collect(PathContainer path, BitSet candidates) {
    PathNode node = root;
    candidates.or(node.here);
    for (PathContainer.Element element : path.elements()) {
      if (element instanceof PathSegment segment) {
        @Nullable PathNode next = node.below.get(folded(segment.valueToMatch()));
        if (next == null) {
          return;
        }
        node = next;
        candidates.or(node.here);
      }
    }
  }

  /* Compares single characters, like patterns that ignore case. */
  private static String folded(String text) {
    return IntStream.range(0, text.length())
        .map(i -> Character.toLowerCase(text.charAt(i)))
        .collect(StringBuilder::new, (all, c) -> all.append((char) c), StringBuilder::append)
        .toString();
  }
}
