package io.github.penstock.simulator.record;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Addresses of clients, each in one spelling: without brackets and port, IPv6 in lower case and as
 * short as can be, IPv4 within IPv6 as IPv4. Of a list that is joined by commas the first address
 * counts. A text that is not an address, such as a name, is left unchanged.
 */
public final class AddressText {
  static final int BITS = 128;
  private static final Pattern WITH_PORT =
      Pattern.compile("\\[([^\\]]*)](?::\\d+)?|([\\d.]+):\\d+");
  private static final Pattern V4 =
      Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}");
  private static final Pattern V6 = Pattern.compile("(?=[^:]*:[^:]*:)[0-9a-fA-F:.]*(?:%[\\w.-]+)?");
  private static final Pattern ZEROS = Pattern.compile("(^|:)0(:0)+(:|$)");
  /* RFC 1918, 6598 and 4193, loopback and link-local. */
  private static final Pattern PRIVATE =
      Pattern.compile(
          "(?:10|127|192\\.168|172\\.(?:1[6-9]|2\\d|3[01])|100\\.(?:6[4-9]|[7-9]\\d|1[01]\\d|12[0-7]))\\.[\\d.]+"
              + "|(?:f[cd]|fe80:)[\\da-f:/]*(?:%.*)?|::1");
  private static final int V4_BYTES = 4;

  private AddressText() {}

  /** Returns whether an address is one of a private network or of the machine itself. */
  public static boolean isPrivate(String address) {
    return PRIVATE.matcher(address).matches();
  }

  /** Returns whether a text is an address, with or without a port, or a list with one. */
  static boolean isAddress(String text) {
    return !first(text).isEmpty();
  }

  /** Returns whether an address, in a subject's form, is an IPv6 address. */
  public static boolean isV6(String address) {
    return address.indexOf(':') >= 0 && V6.matcher(address).matches() && bytes(address) != null;
  }

  /** The first 64 bits of an IPv6 address, which one caller has by itself. */
  public static String network(String v6) {
    return of(v6, BITS / 2);
  }

  /**
   * The address, or the network that it is in.
   *
   * @param bits how many first bits of an IPv6 address count, from 1 to {@value #BITS}
   */
  static String of(String text, int bits) {
    String address = first(text);
    if (address.isEmpty()) {
      return text.indexOf(':') < 0 ? text : bare(text);
    }
    byte[] bytes = address.indexOf(':') < 0 ? null : bytes(address);
    return bytes == null || address.indexOf('%') >= 0 ? address : spelled(bytes, bits);
  }

  /* Without its port; empty if the address is missing. */
  private static String first(String text) {
    for (String each : text.split(",")) {
      String bare = bare(each.strip());
      if (V4.matcher(bare).matches() || V6.matcher(bare).matches() && bytes(bare) != null) {
        return bare;
      }
    }
    return "";
  }

  private static String bare(String text) {
    Matcher port = WITH_PORT.matcher(text);
    return !port.matches() ? text : port.group(1) != null ? port.group(1) : port.group(2);
  }

  private static byte @Nullable [] bytes(String v6) {
    try {
      return InetAddress.getByName(v6.replaceFirst("%.*", "")).getAddress();
    } catch (UnknownHostException none) {
      return null;
    }
  }

  private static String spelled(byte[] bytes, int bits) {
    try {
      if (bytes.length == V4_BYTES) {
        return InetAddress.getByAddress(bytes).getHostAddress();
      }
      for (int bit = bits; bit < BITS; bit++) {
        bytes[bit / Byte.SIZE] &= (byte) ~(0x80 >> bit % Byte.SIZE);
      }
      String full = InetAddress.getByAddress(bytes).getHostAddress();
      String brief = ZEROS.matcher(full).replaceFirst("::");
      return bits == BITS ? brief : brief + "/" + bits;
    } catch (UnknownHostException never) {
      throw new IllegalStateException(never);
    }
  }
}
