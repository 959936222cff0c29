package io.github.penstock.lua.maven.minify;

import io.github.penstock.lua.maven.syntax.Chunk;
import io.github.penstock.lua.maven.syntax.LocalVariable;
import io.github.penstock.lua.maven.syntax.Token;
import io.github.penstock.lua.maven.syntax.TokenKind;
import java.util.Map;

/**
 * Writes a script in as few bytes as its tokens allow: no comments, no white space that nothing
 * needs, short names for local variables, no optional tokens. Strings, numbers, fields and globals
 * stay as they are written.
 */
public final class ScriptMinifier {
  private final StringBuilder text = new StringBuilder();
  private Token last = new Token(TokenKind.SYMBOL, ";", 1, 0);

  private ScriptMinifier() {}

  /** The minified form; it ends without a line break. */
  public static String minify(Chunk chunk) {
    Map<LocalVariable, String> names = LocalRenamer.rename(chunk);
    ScriptMinifier minifier = new ScriptMinifier();
    for (int i = 0; i < chunk.tokens().size() - 1; i++) {
      if (!chunk.omittable().get(i)) {
        Token token = chunk.tokens().get(i);
        LocalVariable local = chunk.names().get(i);
        String name = local == null ? token.text() : names.getOrDefault(local, token.text());
        minifier.append(token.renamed(name));
      }
    }
    return minifier.text.toString();
  }

  private void append(Token token) {
    if (separate(last, token)) {
      text.append(' ');
    }
    text.append(token.text());
    last = token;
  }

  /** Returns whether two tokens would be read as something else without a space between them. */
  private static boolean separate(Token left, Token right) {
    char before = left.text().charAt(left.text().length() - 1);
    char after = right.text().charAt(0);
    boolean words = wordLike(left) && word(after);
    boolean number = left.kind() == TokenKind.NUMBER && after == '.';
    boolean dots = left.kind() == TokenKind.SYMBOL && before == '.' && after == '.';
    boolean comment = before == '-' && after == '-' && left.kind() == TokenKind.SYMBOL;
    boolean bracket = left.is("[") && after == '[';
    return words || number || dots || comment || bracket;
  }

  private static boolean wordLike(Token token) {
    return token.kind() != TokenKind.STRING && word(token.text().charAt(token.text().length() - 1))
        || token.kind() == TokenKind.NUMBER;
  }

  private static boolean word(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }
}
