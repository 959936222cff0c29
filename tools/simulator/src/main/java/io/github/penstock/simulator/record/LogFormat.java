package io.github.penstock.simulator.record;

import java.util.List;
import java.util.Locale;

/** How a log is written. */
public enum LogFormat {
  /** Apache's and nginx's common and combined formats, with or without the virtual host first. */
  COMMON("common"),
  /** Equivalent to {@link #COMMON}, which is read with and without referer and user agent. */
  COMBINED("combined"),
  /** Separated by commas, semicolons, tabs or bars, with a header or {@code --columns}. */
  CSV("CSV"),
  /** A JSON object in every line. */
  JSON("JSON Lines"),
  /** W3C Extended Log File Format, of IIS and CloudFront. */
  W3C("W3C extended"),
  ALB("AWS ALB"),
  HAPROXY("HAProxy"),
  NPM("Nginx Proxy Manager"),
  /** Envoy's default text, and Istio's. */
  ENVOY("Envoy text"),
  HEROKU("Heroku router"),
  /** Uvicorn's access log, with a time before it. */
  UVICORN("uvicorn"),
  /** An nginx log_format or an Apache LogFormat, which is the only one of the columns. */
  PATTERN("the given pattern");

  private final String title;

  LogFormat(String title) {
    this.title = title;
  }

  /**
   * Reads lines of this format.
   *
   * @param columns of CSV without a header; none if it has one; for {@link #PATTERN} its text
   */
  public RecordFormat records(List<String> columns) {
    return switch (this) {
      case COMMON, COMBINED -> new CommonLog();
      case CSV -> new CsvLog(columns);
      case JSON -> new JsonLog();
      case W3C -> new ExtendedLog();
      case ALB -> PatternLog.ALB;
      case HAPROXY -> PatternLog.HAPROXY;
      case NPM -> PatternLog.NGINX_PROXY_MANAGER;
      case ENVOY -> PatternLog.ENVOY;
      case HEROKU -> PatternLog.HEROKU;
      case UVICORN -> PatternLog.UVICORN;
      case PATTERN -> PatternText.parse(columns.get(0));
    };
  }

  public String title() {
    return title;
  }

  public boolean isFixed() {
    return this != CSV && this != JSON && this != PATTERN;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
