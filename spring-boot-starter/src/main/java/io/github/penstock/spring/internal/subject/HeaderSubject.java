package io.github.penstock.spring.internal.subject;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The subject for a header's value: its hash, so that no key, log or endpoint shows it. */
public final class HeaderSubject {
  private HeaderSubject() {}

  /** The subject: the SHA-256 of the bytes of the value, in hexadecimal digits. */
  public static String of(String value) {
    try {
      byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return "header:" + HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
