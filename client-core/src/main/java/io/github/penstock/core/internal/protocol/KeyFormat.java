package io.github.penstock.core.internal.protocol;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds {@code <prefix>:<policy>:{<subject>}:<marker>}. Immutable, safe for use by several
 * threads.
 *
 * <p>Nearly every subject is short, printable ASCII: such a key is written in one pass, straight
 * into its bytes. Any other subject is encoded as the protocol says: its UTF-8 with {@code %XX} for
 * control characters, {@code %}, <code>{</code> and <code>}</code>, or, over 128 bytes, {@code
 * %sha256-} and the hash of its bytes.
 */
public final class KeyFormat {
  private static final int MAX_SUBJECT_BYTES = 128;
  private static final HexFormat UPPER = HexFormat.of().withUpperCase();
  private final byte[] head;
  private final byte[] tail;

  /**
   * The keys of one policy under one setting.
   *
   * @param keyPrefix {@link io.github.penstock.core.RateLimiterOptions#keyPrefix} of the policy
   * @param marker {@link LimitEncoding#marker()} of the limit
   */
  public KeyFormat(String keyPrefix, String marker) {
    head = (keyPrefix + "{").getBytes(StandardCharsets.US_ASCII);
    tail = ("}:" + marker).getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The key of a subject.
   *
   * @throws IllegalArgumentException if the subject is empty or ill-formed UTF-16
   */
  public byte[] key(String subject) {
    int length = Objects.requireNonNull(subject, "subject").length();
    if (length == 0) {
      throw new IllegalArgumentException("subject must not be empty");
    }
    if (length > MAX_SUBJECT_BYTES) {
      return join(encoded(subject));
    }
    byte[] key = frame(length);
    for (int i = 0; i < length; i++) {
      char c = subject.charAt(i);
      if (!isPlain(c)) {
        return join(encoded(subject));
      }
      key[head.length + i] = (byte) c;
    }
    return key;
  }

  /**
   * The key of one within a group, <code>{group}/within</code>, or of the group itself.
   *
   * @param within null for the group
   * @throws IllegalArgumentException if one is empty or ill-formed UTF-16
   */
  public byte[] key(String group, @Nullable String within) {
    if (within == null) {
      return key(group);
    }
    if (group.isEmpty() || within.isEmpty()) {
      throw new IllegalArgumentException("neither group nor within may be empty");
    }
    byte[] inner = encoded(group);
    ByteBuffer name = ByteBuffer.allocate(inner.length + 2 + 3 * MAX_SUBJECT_BYTES);
    String member = new String(encoded(within), StandardCharsets.ISO_8859_1).replace("/", "%2F");
    name.put(inner).put((byte) '}').put((byte) '/');
    name.put(member.getBytes(StandardCharsets.ISO_8859_1));
    ByteBuffer key = ByteBuffer.allocate(head.length + name.position() + tail.length - 1);
    key.put(head).put(name.flip()).put(tail, 1, tail.length - 1);
    return key.array();
  }

  private static boolean isPlain(int c) {
    return c >= ' ' && c < 0x7f && c != '%' && c != '{' && c != '}';
  }

  private byte[] frame(int subjectLength) {
    byte[] key = new byte[head.length + subjectLength + tail.length];
    System.arraycopy(head, 0, key, 0, head.length);
    System.arraycopy(tail, 0, key, head.length + subjectLength, tail.length);
    return key;
  }

  private byte[] join(byte[] subject) {
    byte[] key = frame(subject.length);
    System.arraycopy(subject, 0, key, head.length, subject.length);
    return key;
  }

  private static byte[] encoded(String subject) {
    byte[] bytes = utf8(subject);
    String text =
        bytes.length > MAX_SUBJECT_BYTES ? "%sha256-" + sha256(bytes) : percentEncoded(bytes);
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String percentEncoded(byte[] bytes) {
    StringBuilder text = new StringBuilder(bytes.length + 16);
    for (byte b : bytes) {
      if (b < 0 || isPlain(b)) {
        text.append((char) (b & 0xff));
      } else {
        UPPER.toHexDigits(text.append('%'), b);
      }
    }
    return text.toString();
  }

  private static byte[] utf8(String subject) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(subject));
      byte[] exact = new byte[bytes.remaining()];
      bytes.get(exact);
      return exact;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          "subject must be well-formed UTF-16: it has half of a surrogate pair", e);
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
