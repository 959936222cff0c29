package io.github.penstock.simulator.record;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Addresses of clients, each in one spelling: without brackets and port, IPv6 in lower case and as
 * short as can be, IPv4 within IPv6 as IPv4. What is no address, such as a name, stays as it is.
 */
final class AddressText {
  static final int BITS = 128;
  private static final Pattern WITH_PORT =
      Pattern.compile("\\[([^\\]]*)](?::\\d+)?|([\\d.]+):\\d+");
  private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
  private static final Pattern ZEROS = Pattern.compile("(^|:)0(:0)+(:|$)");
  private static final int V4_BYTES = 4;

  private AddressText() {}

  /**
   * The address, or the network that it is in.
   *
   * @param bits how many first bits of an IPv6 address count, from 1 to {@value #BITS}
   */
  static String of(String text, int bits) {
    if (text.indexOf(':') < 0 && text.indexOf('[') < 0) {
      return text;
    }
    Matcher port = WITH_PORT.matcher(text);
    String bare = !port.matches() ? text : port.group(1) != null ? port.group(1) : port.group(2);
    if (!V6.matcher(bare).matches()) {
      return bare;
    }
    try {
      byte[] bytes = InetAddress.getByName(bare).getAddress();
      if (bytes.length == V4_BYTES) {
        return InetAddress.getByAddress(bytes).getHostAddress();
      }
      for (int bit = bits; bit < BITS; bit++) {
        bytes[bit / Byte.SIZE] &= (byte) ~(0x80 >> bit % Byte.SIZE);
      }
      String full = InetAddress.getByAddress(bytes).getHostAddress();
      String brief = ZEROS.matcher(full).replaceFirst("::");
      return bits == BITS ? brief : brief + "/" + bits;
    } catch (UnknownHostException none) {
      return bare;
    }
  }
}
