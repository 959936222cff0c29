package io.github.penstock.operations.node;

import io.github.penstock.scripts.FunctionsLibrary;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The Functions library that a server has.
 *
 * @param sha1 of its bytes; null if there is none
 * @param unknownFunctions those that ours lacks
 */
record LoadedLibrary(@Nullable String sha1, List<String> unknownFunctions) {
  static final String SOURCE = FunctionsLibrary.SOURCE;
  static final String OURS = FunctionsLibrary.SHA1;
  private static final Pattern FUNCTION = Pattern.compile("function_name='([a-z0-9_]+)'");

  static LoadedLibrary on(NodeConnection node) {
    Object answer =
        node.expect("FUNCTION", "LIST", "LIBRARYNAME", FunctionsLibrary.NAME, "WITHCODE");
    if (!(answer instanceof List<?> libraries) || libraries.isEmpty()) {
      return new LoadedLibrary(null, List.of());
    }
    Map<String, String> library = NodeSearch.pairs(libraries.get(0));
    String code = library.getOrDefault("library_code", "");
    TreeSet<String> unknown = new TreeSet<>(functions(code));
    unknown.removeAll(functions(SOURCE));
    return new LoadedLibrary(hash(code), List.copyOf(unknown));
  }

  private static List<String> functions(String code) {
    return FUNCTION.matcher(code).results().map((MatchResult found) -> found.group(1)).toList();
  }

  ItemState state(boolean loaded) {
    return new ItemState(FunctionsLibrary.NAME, OURS, sha1, loaded);
  }

  private static String hash(String code) {
    try {
      byte[] bytes = code.getBytes(StandardCharsets.ISO_8859_1);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
