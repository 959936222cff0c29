package io.github.penstock.spring.internal.subject;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The subject of an address: an IPv4 address, or the /64 of an IPv6 address. */
public final class AddressSubject {
  private static final String UNKNOWN = "unknown";
  private static final Pattern V4 =
      Pattern.compile("((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\\.(?!$)|$)){4}");
  private static final Pattern V6 = Pattern.compile("([0-9A-Fa-f.]*:[0-9A-Fa-f:.]+)(%.*)?");
  private static final Pattern LAST_ZEROS = Pattern.compile("(^|:)0(:0)*$");

  private AddressSubject() {}

  /** The subject; all callers whose text is null or not an address count as one. */
  public static String of(@Nullable String address) {
    return "address:" + (address == null ? UNKNOWN : network(address));
  }

  private static String network(String address) {
    if (V4.matcher(address).matches()) {
      return address;
    }
    var literal = V6.matcher(address);
    if (!literal.matches()) {
      return UNKNOWN;
    }
    try {
      // a text with a colon is never looked up
      InetAddress parsed = InetAddress.getByName(literal.group(1));
      return parsed instanceof Inet6Address ? prefix(parsed.getAddress()) : parsed.getHostAddress();
    } catch (UnknownHostException notAnAddress) {
      return UNKNOWN;
    }
  }

  private static String prefix(byte[] bytes) {
    String groups =
        IntStream.range(0, 4)
            .map(group -> (bytes[2 * group] & 0xff) << 8 | bytes[2 * group + 1] & 0xff)
            .mapToObj(group -> Integer.toHexString(group).toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(":"));
    return LAST_ZEROS.matcher(groups).replaceFirst("") + "::/64";
  }
}
