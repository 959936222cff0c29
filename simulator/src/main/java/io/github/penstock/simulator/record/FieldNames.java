package io.github.penstock.simulator.record;

import io.github.penstock.simulator.record.SubjectRule.Role;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The names that logs give to their fields. The first name of a role that a record has is
 * remembered and asked first. Not safe for use by several threads.
 */
public final class FieldNames {
  private static final Map<Role, List<String>> KNOWN =
      Map.of(
          Role.ADDRESS,
          names(
              """
              address remote_addr remote_ip client_ip clientip client.ip client.address
              remote_host c-ip ip ip_address ClientHost ClientAddr client
              request.client_ip request.remote_ip httpRequest.remoteIp source.ip host
              """),
          Role.USER,
          names(
              """
              user remote_user user_id userid username user.name user.id ClientUsername
              cs-username account client_id api_key
              """),
          Role.REFERER,
          names(
              """
              referer http_referer referrer request.headers.Referer httpRequest.referer
              """),
          Role.USER_AGENT,
          names(
              """
              user-agent user_agent http_user_agent agent userAgent
              request.headers.User-Agent httpRequest.userAgent user_agent.original
              """),
          Role.PATH,
          names(
              """
              request path uri request_uri url RequestPath cs-uri-stem request.uri
              http.request.path url.path httpRequest.requestUrl
              """),
          Role.TIME,
          names(
              """
              time timestamp @timestamp ts datetime date_time time_iso8601 time_local
              msec StartUTC start_time created_at eventTime date t
              """),
          Role.BYTES,
          names(
              """
              bytes body_bytes_sent bytes_sent size response_size sc-bytes
              DownstreamContentSize httpRequest.responseSize http.response.bytes
              """));
  private final Map<Role, String> found = new EnumMap<>(Role.class);

  /** Remembers nothing yet. */
  public FieldNames() {}

  /** Remembers what another does. */
  public FieldNames(FieldNames other) {
    found.putAll(other.found);
  }

  /** The value of a role; null if the record has the field and nothing in it. */
  public @Nullable String value(RecordFields fields, Role role) throws UnreadableRecordException {
    String name = found.get(role);
    String value = name == null ? null : fields.get(name);
    if (value != null) {
      return value;
    }
    List<String> known = KNOWN.getOrDefault(role, List.of());
    for (String candidate : known) {
      value = fields.get(candidate);
      if (value != null) {
        found.put(role, candidate);
        return value;
      }
    }
    if (name == null && known.stream().noneMatch(fields.names()::contains)) {
      throw new UnreadableRecordException(
          "no field for the " + title(role) + " among " + String.join(", ", fields.names()));
    }
    return null;
  }

  /** The value of a field that was asked for by name; null if it is empty. */
  public @Nullable String field(RecordFields fields, String name) throws UnreadableRecordException {
    String value = fields.get(name);
    if (value == null && !fields.names().contains(name)) {
      throw new UnreadableRecordException(
          "no field '" + name + "' among " + String.join(", ", fields.names()));
    }
    return value;
  }

  private static List<String> names(String text) {
    return List.of(text.strip().split("\\s+"));
  }

  private static String title(Role role) {
    return role == Role.ADDRESS
        ? "client's address"
        : role.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FieldNames names && found.equals(names.found);
  }

  @Override
  public int hashCode() {
    return found.hashCode();
  }
}
