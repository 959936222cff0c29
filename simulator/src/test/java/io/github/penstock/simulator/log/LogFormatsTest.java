package io.github.penstock.simulator.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.penstock.simulator.log.LogCount.Kind;
import io.github.penstock.simulator.record.CostRule;
import io.github.penstock.simulator.record.SubjectRule;
import io.github.penstock.simulator.traffic.RequestSource;
import io.github.penstock.simulator.traffic.SubjectShare;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs as they lie around: who is limited, and when. */
class LogFormatsTest {
  private static final String REST =
      " - - [05/Jan/2026:09:03:57 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"curl\"\n";
  private static final long SECOND_US = us("2026-01-05T09:03:57Z");
  @TempDir private Path directory;
  private LogCount count = new LogCount();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "www.example.org ",
        "Jan  5 09:03:57 web1 nginx: ",
        "<190>Jan  5 09:03:57 web1 nginx: ",
        "web-1  | ",
        "[pod/web-5f/nginx] ",
        "2026-01-05T09:03:57.123456789Z stdout F ",
        "10.0.0.9 ",
        "www.example.org:443 "
      })
  void theAddressIsTheLastWordBeforeIdentAndUserThatReadsAsOne(String before) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int last = 7; last <= 9; last++) {
      text.append(before).append("203.0.113.").append(last).append(REST);
    }
    assertThat(subjects(text.toString(), "address"))
        .containsExactly("203.0.113.7", "203.0.113.8", "203.0.113.9");
    assertThat(count.of(Kind.UNREADABLE)).isZero();
    assertThat(count.of(Kind.WORDS_BEFORE_ADDRESS)).isEqualTo(3);
    assertThat(count.firstBefore()).isEqualTo(before.strip().replaceAll(" +", " "));
  }

  @Test
  void addressesThatCommasJoinAreOneWordWhoseFirstCounts() throws IOException {
    String text = "203.0.113.7, 10.0.0.1" + REST + "203.0.113.7,10.0.0.2" + REST;
    assertThat(subjects(text + "unknown, 203.0.113.7 , 10.0.0.1" + REST, "address"))
        .containsExactly("203.0.113.7", "203.0.113.7", "203.0.113.7");
    assertThat(count.of(Kind.WORDS_BEFORE_ADDRESS)).isZero();
  }

  @Test
  void namesOfHostnameLookupsStay() throws IOException {
    String user = " - John Smith" + REST.substring(4);
    assertThat(
            subjects(
                "a.example" + REST + "a.example" + user + "www.example.org b.example" + REST,
                "address"))
        .containsExactly("a.example", "a.example", "b.example");
  }

  @Test
  void ofTwoTimesOfJsonTheFinerCounts() throws IOException {
    String traefik =
        "{\"ClientHost\":\"203.0.113.7\",\"StartUTC\":\"2026-01-05T09:03:57.100Z\",\"time\":\"2026-01-05T09:03:58Z\"}\n";
    assertThat(read(traefik, "address", "1", null))
        .containsExactly(new TrafficRequest(SECOND_US + 100_000, "203.0.113.7", 1));
    String nginx =
        "{\"ip\":\"a\",\"time_iso8601\":\"2026-01-05T09:03:58+00:00\",\"msec\":\"1767603837.250\"}\n";
    assertThat(read(nginx, "address", "1", null).get(0).timeUs()).isEqualTo(SECOND_US + 250_000);
  }

  @Test
  void w3cExtendedOfIisAndOfCloudFront() throws IOException {
    String iis =
        """
        #Software: Microsoft Internet Information Services 10.0
        #Version: 1.0
        #Date: 2026-01-05 09:03:57
        #Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status time-taken
        2026-01-05 09:03:57 10.0.0.1 GET /a - 443 - 203.0.113.7 curl/8 - 200 3
        2026-01-05 09:03:58 10.0.0.1 GET /b - 443 eve 203.0.113.8 curl/8 - 200 3
        """;
    assertThat(read(iis, "address", "1", null))
        .containsExactly(
            new TrafficRequest(SECOND_US, "203.0.113.7", 1),
            new TrafficRequest(SECOND_US + 1_000_000, "203.0.113.8", 1));
    assertThat(count.formats()).singleElement().asString().endsWith("W3C extended");
    assertThat(subjects(iis, "path")).containsExactly("/a", "/b");
    assertThat(subjects(iis, "user")).containsExactly("eve");
    String cloudFront =
        "#Version: 1.0\n"
            + "#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem\n"
            + "2026-01-05\t09:03:57\tFRA2\t392\t203.0.113.7\tGET\td1.cloudfront.net\t/x\n";
    assertThat(read(cloudFront, "address", "bytes", null))
        .containsExactly(new TrafficRequest(SECOND_US, "203.0.113.7", 392));
  }

  @Test
  void anAwsApplicationLoadBalancer() throws IOException {
    String alb =
        "https 2026-01-05T09:03:57.186641Z app/my-lb/50dc6c495c0c9188 203.0.113.7:2817 10.0.0.1:80"
            + " 0.086 0.048 0.037 200 200 0 57 \"GET https://www.example.com:443/a?b=1 HTTP/1.1\""
            + " \"curl/7.46.0\" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:x \"Root=1-58337281\""
            + " \"www.example.com\" \"-\" 1 2026-01-05T09:03:57.0Z \"authenticate,forward\" \"-\""
            + " \"-\" \"10.0.0.1:80\" \"200\" \"-\" \"-\"\n";
    assertThat(read(alb, "address+path:1", "bytes", null))
        .containsExactly(new TrafficRequest(SECOND_US + 186_641, "203.0.113.7 /a", 57));
    assertThat(count.formats()).singleElement().asString().endsWith("AWS ALB");
  }

  @Test
  void haproxy() throws IOException {
    String line =
        "203.0.113.7:33317 [05/Jan/2026:09:03:57.655] http-in static/srv1 10/0/30/69/109 200 2750 -"
            + " - ---- 1/1/1/1/0 0/0 {1wt.eu} {} \"GET /index.html HTTP/1.1\"\n";
    assertThat(read("Jan  5 09:03:57 lb haproxy[14389]: " + line + line, "address", "bytes", null))
        .containsExactly(
            new TrafficRequest(SECOND_US + 655_000, "203.0.113.7", 2_750),
            new TrafficRequest(SECOND_US + 655_000, "203.0.113.7", 2_750));
    assertThat(count.formats()).singleElement().asString().endsWith("HAProxy");
  }

  @Test
  void nginxProxyManager() throws IOException {
    String line =
        "[05/Jan/2026:09:03:57 +0000] - 200 200 - GET https example.com \"/a/b\" [Client"
            + " 203.0.113.7] [Length 512] [Gzip -] [Sent-to 10.0.0.2] \"curl/8\" \"-\"\n";
    assertThat(read(line, "address+path:1", "bytes", null))
        .containsExactly(new TrafficRequest(SECOND_US, "203.0.113.7 /a", 512));
  }

  @Test
  void jsonOfEnvoyAndOfCloudflare() throws IOException {
    String envoy =
        "{\"start_time\":\"2026-01-05T09:03:57.250Z\",\"downstream_remote_address\":\"203.0.113.7:51234\",\"bytes_sent\":7,\"path\":\"/a\",\"upstream_host\":\"10.0.0.1:80\"}\n";
    assertThat(read(envoy, "address", "bytes", null))
        .containsExactly(new TrafficRequest(SECOND_US + 250_000, "203.0.113.7", 7));
    String cloudflare =
        "{\"ClientIP\":\"203.0.113.7\",\"ClientRequestHost\":\"example.com\",\"ClientRequestURI\":\"/a\",\"EdgeStartTimestamp\":1767603837000000000,\"EdgeEndTimestamp\":1767603838000000000,\"EdgeResponseBytes\":9}\n";
    assertThat(read(cloudflare, "address", "bytes", null))
        .containsExactly(new TrafficRequest(SECOND_US, "203.0.113.7", 9));
  }

  @Test
  void tracesWhoseTimesBeginAtZero() throws IOException {
    String burst = "Timestamp,Model,Request tokens,Response tokens\n0,a,5,6\n5.5,a,7,8\n";
    List<TrafficRequest> read =
        read(burst, "all", "field:Request tokens+field:Response tokens", null);
    assertThat(read.get(1).timeUs() - read.get(0).timeUs()).isEqualTo(5_500_000);
    assertThat(read).extracting(TrafficRequest::cost).containsExactly(11L, 15L);
    assertThat(count.of(Kind.FROM_ZERO)).isEqualTo(2);
    String mooncake =
        "{\"timestamp\": 0, \"input_length\": 6955}\n"
            + "{\"timestamp\": 27482, \"input_length\": 12}\n";
    List<TrafficRequest> millis = read(mooncake, "all", "field:input_length", "ms");
    assertThat(millis.get(1).timeUs() - millis.get(0).timeUs()).isEqualTo(27_482_000);
    String azure = "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.9799600,4808,10\n";
    assertThat(read(azure, "all", "field:ContextTokens+field:GeneratedTokens/100", null))
        .containsExactly(new TrafficRequest(us("2023-11-16T18:17:03.979960Z"), "all", 49));
  }

  @Test
  void aSumCountsWhatIsThereAndRefusesWhatIsNoNumber() throws IOException {
    String head = "time,ip,a,b\n";
    String line = "1767603837,x,";
    assertThat(
            read(head + line + "3,\n" + line + ",\n", "address", "field:a+field:b", null).stream()
                .map(TrafficRequest::cost))
        .containsExactly(3L, 1L);
    assertThat(count.of(Kind.WITHOUT_COST)).isEqualTo(1);
    assertThat(read(head + line + "3,x\n" + line + "1,1\n", "address", "field:a+field:b", null))
        .hasSize(1);
    assertThat(count.complaints()).singleElement().asString().contains("'b' is not a number: x");
    assertThatIllegalArgumentException().isThrownBy(() -> new SubjectRule("field:a/129"));
  }

  @Test
  void anAddressInAFieldIsOneSubjectHoweverItIsSpelled() throws IOException {
    String text =
        "time;who\n"
            + "1767603837;2001:DB8:0:0::1\n"
            + "1767603837;[2001:db8::1]:443\n"
            + "1767603837;2001:db8::2, 10.0.0.1\n";
    assertThat(subjects(text, "field:who"))
        .containsExactly("2001:db8::1", "2001:db8::1", "2001:db8::2");
    assertThat(subjects(text, "field:who/64")).containsOnly("2001:db8::/64");
    assertThat(subjects("time;who\n1767603837;12:30\n", "field:who")).containsExactly("12:30");
  }

  private List<String> subjects(String text, String subject) throws IOException {
    return read(text, subject, "1", null).stream().map(TrafficRequest::subject).toList();
  }

  private List<TrafficRequest> read(
      String text, String subject, String cost, @Nullable String timeFormat) throws IOException {
    Path log = Files.writeString(directory.resolve("log"), text);
    LogSettings settings =
        new LogSettings(
            List.of(log.toString()),
            null,
            new SubjectRule(subject),
            new CostRule(cost),
            null,
            timeFormat,
            null,
            List.of(),
            SubjectShare.ALL);
    try (SortedLog sorted = new SortedLog(settings, 1, new PrintWriter(new StringWriter()))) {
      count = sorted.count();
      RequestSource source = sorted.source();
      return Stream.generate(source::next)
          .takeWhile(each -> each != null)
          .collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
    }
  }

  private static long us(String time) {
    Instant instant = Instant.parse(time);
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
  }
}
