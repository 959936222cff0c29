package io.github.penstock.simulator.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.simulator.log.LogCount.Kind;
import io.github.penstock.simulator.record.PatternText;
import io.github.penstock.simulator.record.SubjectRule;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.zip.GZIPOutputStream;
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

  @Test
  void whoForwardsIsNamedAndTheClientBehindIsTaken() throws IOException {
    String main =
        "10.0.0.1 - - [05/Jan/2026:09:03:57 +0000] \"GET /api HTTP/1.1\" 200 12 \"-\" \"curl/8\" \"%s\"\n";
    String text =
        main.formatted("203.0.113.7")
            + main.formatted("unknown, 203.0.113.8, 10.0.0.2")
            + main.formatted("-");
    assertThat(subjects(text, "forwarded"))
        .containsExactly("203.0.113.7", "203.0.113.8", "10.0.0.1");
    assertThat(subjects(text, "address")).containsOnly("10.0.0.1");
    assertThat(count.proxies()).isEqualTo("100 % of the requests come from 10.0.0.1");
    String another = main.formatted("2001:db8::1\" 0.003 \"4b1d");
    assertThat(subjects(another, "forwarded/64")).containsExactly("2001:db8::/64");
    String json =
        "{\"time\":1767603837,\"remote_addr\":\"10.0.0.1\",\"x_forwarded_for\":\"203.0.113.7, 10.0.0.9\"}\n";
    assertThat(subjects(json, "forwarded")).containsExactly("203.0.113.7");
  }

  @Test
  void eightPrivateAddressesMayBeProxiesAndNineAreClients() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int last = 1; last <= 8; last++) {
      text.append(("172.16.0." + last + REST).repeat(20));
    }
    String public4 = ("203.0.113.7" + REST).repeat(8);
    subjects(text + public4, "address");
    assertThat(count.proxies()).startsWith("95 % of the requests come from 172.16.0.1, 172.16.0.2");
    subjects(text + public4 + "203.0.113.8" + REST, "address");
    assertThat(count.proxies()).isEmpty();
    subjects(text + ("172.16.0.9" + REST).repeat(20), "address");
    assertThat(count.proxies()).isEmpty();
    subjects("172.32.0.1" + REST + "100.128.0.1" + REST + "11.0.0.1" + REST, "address");
    assertThat(count.proxies()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "log_format main '$remote_addr [$time_local] \"$request\" $status '\n  '$body_bytes_sent \"$http_x_api_key\"';",
        "'$remote_addr [$time_local] \"$request\" $status ' '$body_bytes_sent \"$http_x_api_key\"'",
        "$remote_addr [${time_local}] \"$request\" $status $body_bytes_sent \"$http_x_api_key\"",
        "LogFormat \"%h %t \\\"%r\\\" %>s %b \\\"%{http_x_api_key}i\\\"\" mine",
        "\"%a %t \\\"%r\\\" %>s %O \\\"%{HTTP_X_API_KEY}i\\\"\"",
        "%h %t \"%r\" %>s %B \"%{http_x_api_key}i\""
      })
  void aFormatAsItStandsInAConfiguration(String pattern) throws IOException {
    String line =
        "203.0.113.7 [05/Jan/2026:09:03:57 +0000] \"GET /a/b?c HTTP/1.1\" 200 512 \"k 1\"\n";
    assertThat(given(pattern, line + "no\n", "address+path:1+field:http_x_api_key", "bytes"))
        .containsExactly(new TrafficRequest(SECOND_US, "203.0.113.7 /a k 1", 512));
    assertThat(count.of(Kind.UNREADABLE)).isEqualTo(1);
    assertThat(count.formats()).singleElement().asString().endsWith("the given pattern");
  }

  @Test
  void aFormatWithAListAndATimeInMilliseconds() throws IOException {
    String nginx = "$msec|$http_x_forwarded_for $upstream_response_time $uri";
    String line = "1767603837.250|203.0.113.7, 10.0.0.1 0.1, 0.2 /a\n";
    assertThat(given(nginx, line, "forwarded+path", "1"))
        .containsExactly(new TrafficRequest(SECOND_US + 250_000, "203.0.113.7 /a", 1));
    for (String wrong : List.of("", "combined", "$remote_addr", "%h %l", "%t2 100%%")) {
      assertThatIllegalArgumentException()
          .as(wrong)
          .isThrownBy(() -> PatternText.parse(wrong.replace("%t", "%T")))
          .withMessageContaining("must be an nginx log_format with $time_local");
    }
  }

  @Test
  void envoyTextAndIstio() throws IOException {
    String envoy =
        "[2026-01-05T09:03:57.310Z] \"POST /api/v1/x HTTP/2\" 204 - 154 7 226 100 \"203.0.113.7,10.0.0.1\" \"nsq2http\" \"cc21d9b0\" \"locations\" \"tcp://10.0.2.1:80\"\n";
    assertThat(read(envoy, "address+path:1", "bytes", null))
        .containsExactly(new TrafficRequest(SECOND_US + 310_000, "203.0.113.7 /api", 7));
    assertThat(count.formats()).singleElement().asString().endsWith("Envoy text");
    String istio =
        "[2026-01-05T09:03:57.310Z] \"GET /s HTTP/1.1\" 418 - via_upstream - \"-\" 0 135 4 4 \"-\" \"curl/7\" \"84961386\" \"httpbin:8000\" \"10.44.1.27:80\" outbound|8000||httpbin 10.44.1.23:37652 10.0.45.184:8000 10.44.1.23:46520 - default\n";
    assertThat(read(istio, "address", "bytes", null))
        .containsExactly(new TrafficRequest(SECOND_US + 310_000, "10.44.1.23", 135));
  }

  @Test
  void theRouterOfHeroku() throws IOException {
    String fields =
        "method=GET path=\"/a?b=c d\" host=x.herokuapp.com request_id=8601b555 fwd=\"203.0.113.7\" dyno=web.1 connect=1ms service=18ms status=%d bytes=%s protocol=https\n";
    String text =
        "2026-01-05T09:03:57.250000+00:00 heroku[router]: at=info "
            + fields.formatted(200, 13)
            + "<158>1 2026-01-05T09:03:57.250000+00:00 host heroku router - at=error code=H12 desc=\"Request timeout\" "
            + fields.formatted(503, "")
            + "2026-01-05T09:03:57.250000+00:00 app[web.1]: started\n";
    TrafficRequest expected = new TrafficRequest(SECOND_US + 250_000, "203.0.113.7 /a", 13);
    assertThat(read(text, "address+path", "bytes", null))
        .containsExactly(expected, new TrafficRequest(expected.timeUs(), expected.subject(), 1));
    assertThat(count.formats()).singleElement().asString().endsWith("Heroku router");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-01-05T09:03:57.123000000Z INFO:     ",
        "2026-01-05T09:03:57.123Z stdout F INFO:     ",
        "web-1  | 2026-01-05T09:03:57.123Z INFO:     ",
        "2026-01-05 09:03:57,123 - uvicorn.access - INFO - ",
        "INFO 2026-01-05 09:03:57,123 "
      })
  void uvicornBehindATime(String before) throws IOException {
    String line = before + "203.0.113.7:51234 - \"GET /a/b HTTP/1.1\" 200 OK\n";
    assertThat(read(line, "address+path:1", "1", null))
        .containsExactly(new TrafficRequest(SECOND_US + 123_000, "203.0.113.7 /a", 1));
    assertThat(count.formats()).singleElement().asString().endsWith("uvicorn");
  }

  @Test
  void uvicornWithoutATimeSaysWhoWritesOne() {
    assertThatThrownBy(
            () -> read("INFO:     203.0.113.7:1 - \"GET / HTTP/1.1\" 200 OK\n", "all", "1", null))
        .isInstanceOf(UserErrorException.class)
        .hasMessageContaining("no time: docker logs -t and kubectl logs --timestamps write one");
  }

  @Test
  void linesOfOtherLogsInsideJson() throws IOException {
    String combined = ("203.0.113.7" + REST).strip().replace("\"", "\\\"");
    String docker =
        "{\"log\":\""
            + combined
            + "\\n\",\"stream\":\"stdout\",\"time\":\"2026-01-05T09:03:59Z\"}\n";
    String uvicorn =
        "{\"log\":\"INFO:     203.0.113.8:1 - \\\"GET / HTTP/1.1\\\" 200 OK\\n\",\"time\":\"2026-01-05T09:03:57.5Z\"}\n";
    String json =
        "{\"message\":\"{\\\"ip\\\":\\\"203.0.113.9\\\"}\",\"@timestamp\":\"2026-01-05T09:03:57Z\"}\n";
    assertThat(read(docker + uvicorn + json, "address", "1", null))
        .containsExactly(
            new TrafficRequest(SECOND_US, "203.0.113.7", 1),
            new TrafficRequest(SECOND_US, "203.0.113.9", 1),
            new TrafficRequest(SECOND_US + 500_000, "203.0.113.8", 1));
    assertThat(count.of(Kind.UNREADABLE)).isZero();
  }

  @Test
  void mostOfTheFirstLinesDecideAndEachLineIsReadInItsOwnForm() throws IOException {
    String json = "{\"time\":1767603837,\"ip\":\"203.0.113.9\"}\n";
    String combined = "203.0.113.7" + REST;
    assertThat(subjects(json + combined.repeat(1_200), "address"))
        .hasSize(1_201)
        .startsWith("203.0.113.9", "203.0.113.7");
    assertThat(count.formats()).singleElement().asString().endsWith("combined");
    assertThat(subjects(combined.repeat(6) + json.repeat(3), "address")).hasSize(9);
    assertThat(subjects(combined + json.repeat(3), "address")).hasSize(4);
    assertThat(count.formats()).singleElement().asString().endsWith("JSON Lines");
    assertThat(subjects("{\"msg\":\"start\"}\n" + combined, "address"))
        .containsExactly("203.0.113.7");
    assertThat(count.complaints()).singleElement().asString().contains("line 1: no field for");
  }

  @Test
  void fieldsThatCloudsAndFrameworksWrite() throws IOException {
    for (String time :
        List.of("EdgeStartTimestamp", "startTime", "requestTime", "started_at", "start_time")) {
      for (String client : List.of("ClientIP", "clientIp", "client_ip", "remoteIp")) {
        String line = "{\"%s\":\"2026-01-05T09:03:57Z\",\"%s\":\"203.0.113.7\"}\n";
        assertThat(read(line.formatted(time, client), "address", "1", null))
            .containsExactly(new TrafficRequest(SECOND_US, "203.0.113.7", 1));
      }
    }
    assertThatThrownBy(() -> subjects("{\"when\":1767603837,\"ip\":\"a\"}\n", "address"))
        .hasMessageContaining("no field for the time among when, ip: name it with --time NAME");
    assertThatThrownBy(() -> subjects("{\"time\":1767603837,\"who\":\"a\"}\n", "address"))
        .hasMessageContaining("among time, who: name it with --subject field:NAME");
  }

  @Test
  void whereNothingFitsALineOfAwkOrJqMakesCsv() throws Exception {
    String own =
        "203.0.113.7 took 12 ms at [2026-01-05 09:03:57] for /a\n"
            + "203.0.113.8 took 9 ms at [2026-01-05 09:03:58] for /b\n";
    String awk = commandFor(own);
    assertThat(awk).contains("print $6 \" \" $7 \",\" $1");
    assertThat(read(piped(awk, own), "address", "1", null))
        .containsExactly(
            new TrafficRequest(SECOND_US, "203.0.113.7", 1),
            new TrafficRequest(SECOND_US + 1_000_000, "203.0.113.8", 1));
    assertThat(commandFor("[\n {\n  \"time\": 1\n }\n]\n")).startsWith("jq -c '");
    String array = "[{\"time\":1767603837,\"ip\":\"a\"},\n{\"time\":1767603838,\"ip\":\"b\"}]\n";
    assertThat(commandFor(array)).startsWith("jq -c '");
  }

  private String commandFor(String text) {
    String complaint =
        catchThrowableOfType(UserErrorException.class, () -> subjects(text, "address"))
            .getMessage();
    assertThat(complaint)
        .contains("give its format with --pattern, or make CSV or JSON Lines of it, such as");
    return complaint.replaceAll("(?s).*such as (.*) \\| \\./penstock compare --log -", "$1");
  }

  private String piped(String command, String text) throws IOException {
    Path from = Files.writeString(directory.resolve("own"), text);
    Process shell =
        new ProcessBuilder("sh", "-c", command.replace("FILE", from.toString())).start();
    return new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void anArchiveIsRefusedWithWhatToType() throws IOException {
    byte[] tar = new byte[2_048];
    byte[] magic = "ustar".getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(magic, 0, tar, 257, magic.length);
    Path plain = Files.write(directory.resolve("logs.tar"), tar);
    assertThatThrownBy(() -> read(plain))
        .hasMessageContaining("logs.tar is an archive of files: tar -xOf FILE | ./penstock");
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(tar);
    }
    Path gzip = Files.write(directory.resolve("logs.tar.gz"), packed.toByteArray());
    assertThatThrownBy(() -> read(gzip))
        .hasMessageContaining("logs.tar.gz is an archive of files: tar -xzOf FILE | ./penstock");
    Path seven =
        Files.write(
            directory.resolve("a.7z"),
            new byte[] {0x37, 0x7a, (byte) 0xbc, (byte) 0xaf, 0x27, 0x1c});
    assertThatThrownBy(() -> read(seven)).hasMessageContaining("7z x -so FILE");
  }

  private List<String> subjects(String text, String subject) throws IOException {
    return read(text, subject, "1", null).stream().map(TrafficRequest::subject).toList();
  }

  private List<TrafficRequest> read(
      String text, String subject, String cost, @Nullable String timeFormat) throws IOException {
    Path log = Files.writeString(directory.resolve("log"), text);
    return timeFormat == null
        ? read(log, "--subject", subject, "--cost", cost)
        : read(log, "--subject", subject, "--cost", cost, "--time-format", timeFormat);
  }

  private List<TrafficRequest> given(String pattern, String text, String subject, String cost)
      throws IOException {
    Path log = Files.writeString(directory.resolve("log"), text);
    return read(log, "--pattern", pattern, "--subject", subject, "--cost", cost);
  }

  private List<TrafficRequest> read(Path log, String... options) {
    LogSettings settings = LogRead.settings(log, options);
    try (SortedLog sorted = new SortedLog(settings, LogRead.NOWHERE)) {
      count = sorted.count();
      return LogRead.all(sorted);
    }
  }

  private static long us(String time) {
    Instant instant = Instant.parse(time);
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
  }
}
