package io.github.penstock.lua.maven.syntax;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A parsed script: its tokens, its tree, and which variable every name means.
 *
 * @param tokens all tokens, the end included
 * @param comments all comments
 * @param block the statements of the script itself
 * @param locals every local variable, in the order of declaration
 * @param names the local variable that the token at a position names; a global one or a field has
 *     no entry
 * @param omittable positions of tokens without which the script means the same
 */
public record Chunk(
    List<Token> tokens,
    List<Comment> comments,
    Block block,
    List<LocalVariable> locals,
    Map<Integer, LocalVariable> names,
    BitSet omittable) {

  /** Every statement outside functions, outer ones first. */
  public Stream<Statement> statements() {
    return statements(block);
  }

  /** Every expression, those in functions and the parts of others included. */
  public Stream<Expression> expressions() {
    return everywhere(block).flatMap(s -> s.expressions().stream()).flatMap(Chunk::parts);
  }

  /** Every statement, those in functions included. */
  public Stream<Statement> everywhere() {
    return everywhere(block);
  }

  /** Every statement of a block that belongs to the same function, outer ones first. */
  public static Stream<Statement> statements(Block block) {
    return block.statements().stream()
        .flatMap(s -> Stream.concat(Stream.of(s), s.blocks().stream().flatMap(Chunk::statements)));
  }

  private static Stream<Statement> everywhere(Block block) {
    return statements(block)
        .flatMap(
            s ->
                Stream.concat(
                    Stream.of(s),
                    s.expressions().stream()
                        .flatMap(Chunk::parts)
                        .filter(Expression.FunctionBody.class::isInstance)
                        .flatMap(f -> everywhere(((Expression.FunctionBody) f).body()))));
  }

  /** An expression and the expressions it is made of; not those in a function's body. */
  public static Stream<Expression> parts(Expression expression) {
    return Stream.concat(
        Stream.of(expression), expression.children().stream().flatMap(Chunk::parts));
  }
}
