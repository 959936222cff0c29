package io.github.penstock.lettuce;

import io.github.penstock.core.spi.ScriptCall.Verb;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/**
 * Commands as Lettuce writes them.
 *
 * <p>Lettuce sends commands that it knows to be read-only to a replica, and for older versions
 * EVALSHA is one. Commands that it does not know go to the master, so a charge has a custom
 * keyword; only commands that may go to a replica have Lettuce's.
 *
 * <p>Lettuce 7 advises against {@link ProtocolKeyword#name()}, which older versions demand.
 */
@SuppressWarnings("deprecation")
enum CommandKeyword implements ProtocolKeyword {
  EVALSHA,
  EVAL,
  EVALSHA_RO,
  EVAL_RO,
  FCALL,
  FCALL_RO,
  FUNCTION;

  /** By the verb's ordinal. */
  private static final ProtocolKeyword[] KEYWORDS =
      Stream.of(Verb.values()).map(CommandKeyword::keyword).toArray(ProtocolKeyword[]::new);

  private final byte[] bytes = name().getBytes(StandardCharsets.US_ASCII);

  static ProtocolKeyword of(Verb verb) {
    return KEYWORDS[verb.ordinal()];
  }

  private static ProtocolKeyword keyword(Verb verb) {
    return verb.readOnly() ? lettuces(verb.name()) : valueOf(verb.name());
  }

  private static ProtocolKeyword lettuces(String name) {
    try {
      return CommandType.valueOf(name);
    } catch (IllegalArgumentException unknownToThisVersion) {
      return valueOf(name);
    }
  }

  @Override
  public byte[] getBytes() {
    return bytes;
  }
}
