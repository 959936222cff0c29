package io.github.penstock.simulator.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.simulator.log.LogCount.Kind;
import io.github.penstock.simulator.record.RowFilter;
import io.github.penstock.simulator.traffic.SubjectShare;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SortedLogTest {
  private static final long NOON_US = 1_763_640_000_000_000L;
  private static final String COMMON =
      "192.0.2.1 - frank [20/Nov/2025:12:00:00 +0000] \"GET /a/b?x=1 HTTP/1.1\" 200 2326\n";
  private static final String COMBINED =
      "2001:db8::1 - - [20/Nov/2025:13:00:01 +0100] \"GET /a/c HTTP/2.0\" 200 10"
          + " \"https://example.com/\" \"Mozilla \\\"5\\\" (X11)\" \"extra\" 0.003\n";

  private static final int MANY = 20_000;

  @TempDir Path directory;
  private LogCount count = new LogCount();

  @Test
  void commonAndCombined() throws IOException {
    assertThat(read(file(COMMON + COMBINED)))
        .containsExactly(
            new TrafficRequest(NOON_US, "192.0.2.1", 1),
            new TrafficRequest(NOON_US + 1_000_000, "2001:db8::1", 1));
    assertThat(count.formats()).singleElement().asString().endsWith("common");
    assertThat(count.wholeSeconds()).isTrue();
  }

  @Test
  void aFirstLineWithRefererAndAgentIsCombined() throws IOException {
    read(file("\n" + COMMON.strip() + " \"-\" \"-\"\n" + COMMON));
    assertThat(count.formats()).singleElement().asString().endsWith("combined");
  }

  @Test
  void aVirtualHostBeforeTheAddress() throws IOException {
    assertThat(subjects(read(file("example.com:443 " + COMMON)))).containsExactly("192.0.2.1");
  }

  @Test
  void anAddressIsOneSubjectHoweverItIsSpelled() throws IOException {
    String line = " - - [20/Nov/2025:12:00:00 +0000] \"GET / HTTP/1.1\" 200 1\n";
    String[] spellings = {
      "2001:db8::1", "2001:DB8:0:0:0:0:0:1", "[2001:db8::0001]:443", "[::1]:443 2001:0db8::1"
    };
    Path log = file(String.join(line, spellings) + line);
    assertThat(subjects(read(log))).hasSize(4).containsOnly("2001:db8::1");
    assertThat(subjects(read(log, "--subject", "address/64"))).containsOnly("2001:db8::/64");
    Path last = file("2001:db8:0:1:8000::1" + line);
    assertThat(subjects(read(last, "--subject", "address/64")))
        .containsExactly("2001:db8:0:1::/64");
    Path old = file("::ffff:192.0.2.1" + line + "192.0.2.1:80" + line);
    assertThat(subjects(read(old, "--subject", "address/64"))).containsOnly("192.0.2.1");
    Path names = file("[::1]:443" + line + "fe80::1%eth0" + line + "a.example" + line);
    assertThat(subjects(read(names))).containsExactly("::1", "fe80::1%eth0", "a.example");
  }

  @Test
  void subjectsOfEveryKind() throws IOException {
    Path log = file(COMMON + COMBINED);
    assertThat(subjects(read(log, "--subject", "user"))).containsExactly("frank");
    assertThat(count.of(Kind.WITHOUT_SUBJECT)).isEqualTo(1);
    assertThat(subjects(read(log, "--subject", "referer"))).containsExactly("https://example.com/");
    assertThat(subjects(read(log, "--subject", "user-agent")))
        .containsExactly("Mozilla \\\"5\\\" (X11)");
    assertThat(subjects(read(log, "--subject", "path"))).containsExactly("/a/b", "/a/c");
    assertThat(subjects(read(log, "--subject", "path:1"))).containsExactly("/a", "/a");
    assertThat(subjects(read(log, "--subject", "all"))).containsExactly("all", "all");
    assertThat(subjects(read(log, "--subject", "address+path:1")))
        .containsExactly("192.0.2.1 /a", "2001:db8::1 /a");
    assertThat(subjects(read(log, "--subject", "field:status"))).containsExactly("200", "200");
  }

  @Test
  void costsOfEveryKind() throws IOException {
    Path log = file(COMMON + COMBINED);
    assertThat(costs(read(log, "--cost", "7"))).containsExactly(7L, 7L);
    assertThat(costs(read(log, "--cost", "bytes"))).containsExactly(2_326L, 10L);
    assertThat(costs(read(log, "--cost", "bytes/1024"))).containsExactly(3L, 1L);
    assertThat(costs(read(log, "--cost", "field:status/100"))).containsExactly(2L, 2L);
  }

  @Test
  void aCostMayHaveAnyExponent() throws IOException {
    String line = "{\"time\":1763640000,\"ip\":\"a\",\"cost\":\"%s\"}\n";
    String small = line.formatted("1e-300000000") + line.formatted("1e-600000000");
    assertThat(costs(read(file(small + line.formatted("1e3")), "--cost", "field:cost")))
        .containsExactly(1L, 1L, 1_000L);
    count = new LogCount();
    read(file(line.formatted("1") + line.formatted("1e300000000")), "--cost", "field:cost");
    assertOneComplaint("must be from 0 to 10^12");
  }

  @Test
  void aTornLineIsChargedToNobody() throws IOException {
    String torn =
        "192.0.2.9 - - [20/Nov/2" + COMMON + "0.2.77" + COMBINED.substring("2001:db8::1".length());
    assertThat(subjects(read(file(COMMON + torn)))).containsExactly("192.0.2.1");
    assertThat(count.of(Kind.UNREADABLE)).isEqualTo(2);
    assertThat(count.complaints()).allMatch(each -> each.contains("torn"));
  }

  @Test
  void anAddressThatIsCutOffIsNobodysInAnyFormat() throws IOException {
    Path csv =
        file(
            "time,address\n"
                + "1763640000,192.0.2.1\n"
                + "1763640000,192.0\n"
                + "1763640000,192.0.2.\n"
                + "1763640000,77\n");
    assertThat(subjects(read(csv))).containsExactly("192.0.2.1", "77");
    assertThat(count.complaints()).hasSize(2).allMatch(each -> each.contains("torn"));
    Path json =
        file(
            "{'time':1763640000,'address':'192.0.2.1'}\n{'time':1763640000,'address':'92.0.2.'}\n"
                .replace('\'', '"'));
    assertThat(subjects(read(json))).containsExactly("192.0.2.1");
  }

  @Test
  void gzipThatUnpacksWithoutEndIsRefused() throws IOException {
    Path log = Files.write(directory.resolve("bomb.gz"), gzip("\n".repeat(40_000_000)));
    assertThatThrownBy(() -> read(log))
        .isInstanceOf(UserErrorException.class)
        .hasMessageContaining("unpacks to more than 300 times its size");
  }

  @Test
  void csvWithAHeader() throws IOException {
    Path log =
        file(
            "time;client_ip;\"user agent\";size\r\n"
                + "2025-11-20T12:00:00Z;192.0.2.1;\"Mozilla; \"\"5\"\"\n2nd line\";10\r\n"
                + "2025-11-20T12:00:00.5Z;192.0.2.2;x;2.5\r\n");
    assertThat(read(log))
        .containsExactly(
            new TrafficRequest(NOON_US, "192.0.2.1", 1),
            new TrafficRequest(NOON_US + 500_000, "192.0.2.2", 1));
    assertThat(subjects(read(log, "--subject", "field:user agent")))
        .containsExactly("Mozilla; \"5\"\n2nd line", "x");
    assertThat(costs(read(log, "--cost", "field:size"))).containsExactly(10L, 3L);
  }

  @Test
  void aRequestWithoutACostCostsOneAndIsCounted() throws IOException {
    Path log = file("time,client_ip,weight\n1763640000,a,3\n1763640001,b,\n1763640002,c,-\n");
    assertThat(costs(read(log, "--cost", "field:weight"))).containsExactly(3L, 1L, 1L);
    assertThat(count.of(Kind.WITHOUT_COST)).isEqualTo(2);
  }

  @Test
  void zerosThatACutLeavesDoNotHideTheLinesAfterThem() throws IOException {
    Path log = file("\0".repeat(300_000) + COMMON + "x\0\0\0\n" + COMBINED);
    assertThat(read(log)).hasSize(2);
    assertThat(count.of(Kind.UNREADABLE)).isEqualTo(1);
  }

  @Test
  void aPipeWithANameIsReadLikeAFile() throws Exception {
    Path pipe = directory.resolve("pipe");
    assumeTrue(made(pipe), "optional: there is no mkfifo here");
    Thread writer =
        new Thread(
            () -> {
              try {
                Files.write(pipe, gzip(COMMON + COMBINED));
              } catch (IOException failure) {
                throw new UncheckedIOException(failure);
              }
            });
    writer.setDaemon(true);
    writer.start();
    assertThat(read(pipe)).hasSize(2);
    writer.join();
  }

  private static boolean made(Path pipe) throws InterruptedException {
    try {
      return new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0;
    } catch (IOException none) {
      return false;
    }
  }

  @Test
  void csvWithoutAHeader() throws IOException {
    Path log = file("192.0.2.1,20.11.2025 12:00:00\n");
    assertThat(
            read(
                log,
                "--columns",
                "ip,when",
                "--time",
                "when",
                "--time-format",
                "dd.MM.yyyy HH:mm:ss"))
        .containsExactly(new TrafficRequest(NOON_US, "192.0.2.1", 1));
  }

  @Test
  void timesThatNameNoZoneAreOfTheOneThatWasGiven() throws IOException {
    Path log = file("time,ip\n2025-11-20 13:00:00,a\n2025-10-26 02:30:00,a\n");
    assertThat(read(log, "--time-zone", "Europe/Berlin").get(1).timeUs()).isEqualTo(NOON_US);
    assertThat(count.of(Kind.WITHOUT_ZONE)).isEqualTo(2);
    assertThat(count.of(Kind.IN_REPEATED_HOUR)).isEqualTo(1);
    read(file(COMMON));
    assertThat(count.of(Kind.WITHOUT_ZONE)).isZero();
  }

  @Test
  void jsonLines() throws IOException {
    Path log =
        file(
            "{\"ts\":1763640000.25,\"request\":{\"remote_ip\":\"192.0.2.1\",\"headers\":{\"User-Agent\":[\"curl\"]}},\"size\":5}\n"
                + "\n"
                + "{\"ts\":1763640001,\"request\":{\"remote_ip\":\"192.0.2.2\"},\"a.b\":\"c\"}\n");
    assertThat(read(log))
        .containsExactly(
            new TrafficRequest(NOON_US + 250_000, "192.0.2.1", 1),
            new TrafficRequest(NOON_US + 1_000_000, "192.0.2.2", 1));
    assertThat(subjects(read(log, "--subject", "user-agent"))).containsExactly("curl");
    assertThat(subjects(read(log, "--subject", "field:request.remote_ip"))).hasSize(2);
  }

  @Test
  void gzipWhateverItsNameAlsoOfSeveralMembers() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(gzip(COMMON));
    bytes.write(gzip(COMBINED));
    Path log = Files.write(directory.resolve("access.log"), bytes.toByteArray());
    assertThat(read(log)).hasSize(2);
  }

  @Test
  void aGzipThatIsCutOffGivesWhatIsThere() throws IOException {
    byte[] whole = gzip(COMMON.repeat(20_000));
    Path log = directory.resolve("cut.gz");
    Files.write(log, java.util.Arrays.copyOf(whole, whole.length / 2));
    assertThat(read(log)).isNotEmpty();
    assertThat(count.cutShort()).singleElement().asString().contains("broken or cut off");
  }

  @Test
  void linesThatCannotBeReadAreCountedAndTheFirstShown() throws IOException {
    Path log =
        file(
            COMMON
                + "nonsense\n"
                + COMMON.replace("20/Nov", "20/Nix")
                + COMMON.replace("[", "")
                + "1.2.3.4 - - [20/Nov/2025:12:00:00 +0000] \"GET / HTTP/1.1\n"
                + "x\n".repeat(10)
                + COMMON);
    assertThat(read(log)).hasSize(2);
    assertThat(count.of(Kind.UNREADABLE)).isEqualTo(14);
    assertThat(count.complaints()).hasSize(5);
    assertThat(count.complaints().get(0)).contains("line 2: no time in [brackets]");
    assertThat(count.complaints().get(1))
        .contains("line 3: not a time: 20/Nix/2025:12:00:00 +0000");
    assertThat(count.complaints().get(3)).contains("line 5: a quote is never closed");
  }

  @Test
  void aLineWithoutEndIsPassedOverWithoutKeepingIt() throws IOException {
    Path log = directory.resolve("huge.log");
    try (OutputStream out = Files.newOutputStream(log)) {
      out.write(COMMON.getBytes(StandardCharsets.UTF_8));
      byte[] block = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < 64; i++) {
        out.write(block);
      }
      out.write(("\n" + COMBINED).getBytes(StandardCharsets.UTF_8));
    }
    assertThat(read(log)).hasSize(2);
    assertOneComplaint("line 2: longer than");
  }

  @Test
  void aQuoteInTheWrongPlaceOfCsvCostsOneLine() throws IOException {
    Path log =
        file(
            """
            time,ip,agent
            2025-11-20T12:00:00Z,192.0.2.1,"a"b"c"
            2025-11-20T12:00:00Z,"192.0.2.2" ,""
            2025-11-20T12:00:00Z,192.0.2.3,b"c"
            2025-11-20T12:00:00Z,192.0.2.4,
            """);
    assertThat(subjects(read(log))).containsExactly("192.0.2.2", "192.0.2.3", "192.0.2.4");
    assertOneComplaint("line 2: not CSV: a quote in the wrong place");
  }

  @Test
  void aStrayQuoteInCsvCostsOneLine() throws IOException {
    StringBuilder text = new StringBuilder("time,ip\n2025-11-20T12:00:00Z,\"1\n");
    for (int i = 0; i < 300; i++) {
      text.append("2025-11-20T12:00:01Z,192.0.2.1\n");
    }
    assertThat(read(file(text.toString()))).hasSize(300);
    assertOneComplaint("line 2: a quote is never closed");
  }

  @Test
  void aLogInDescendingOrderIsTurnedRound() throws IOException {
    List<Integer> seconds = IntStream.range(0, MANY).map(i -> MANY - 1 - i).boxed().toList();
    assertSorted(seconds);
    assertThat(count.of(Kind.PUT_IN_ORDER)).isEqualTo(MANY - 1);
  }

  @Test
  void aLogInNoOrderAtAllIsSorted() throws IOException {
    List<Integer> seconds = new ArrayList<>(IntStream.range(0, MANY).boxed().toList());
    Collections.shuffle(seconds, new Random(1));
    assertSorted(seconds);
  }

  @Test
  void aLogInOrderStaysAsItIs() throws IOException {
    assertSorted(IntStream.range(0, MANY).boxed().toList());
    assertThat(count.of(Kind.PUT_IN_ORDER)).isZero();
  }

  @Test
  void theNewestFileFirstIsTheSameAsTheOldestFirst() throws IOException {
    Path old = Files.writeString(directory.resolve("old"), json(IntStream.range(0, MANY)));
    Path young =
        Files.writeString(directory.resolve("young"), json(IntStream.range(MANY, 2 * MANY)));
    assertThat(read(young, "--log", old.toString()))
        .isEqualTo(read(old, "--log", young.toString()))
        .isSortedAccordingTo(Comparator.comparingLong(TrafficRequest::timeUs))
        .hasSize(2 * MANY);
    assertThat(count.of(Kind.PUT_IN_ORDER)).isZero();
  }

  @Test
  void requestsOfOneTimeKeepTheirOrder() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < MANY; i++) {
      text.append("{\"time\":%d,\"ip\":\"%d\"}\n".formatted(1_763_640_000L - i / 1_000, i));
    }
    assertThat(subjects(read(file(text.toString()))))
        .containsExactlyElementsOf(
            IntStream.range(0, MANY)
                .map(i -> MANY - 1_000 - i / 1_000 * 1_000 + i % 1_000)
                .mapToObj(String::valueOf)
                .toList());
    assertThat(count.of(Kind.PUT_IN_ORDER)).isEqualTo(MANY - 1_000);
  }

  @Test
  void aFieldThatTakesOverFromAnotherIsFollowedAtOnce() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < MANY; i++) {
      String both = "\"client_ip\":\"a%d\",\"ip\":\"b%d\"".formatted(i, i);
      String fields = i < MANY / 2 ? "\"ip\":\"b%d\"".formatted(i) : both;
      String only = i == MANY / 2 + 1_234 ? "\"client_ip\":\"a%d\"".formatted(i) : fields;
      text.append("{\"time\":%d,%s}\n".formatted(1_763_640_000L + i, only));
    }
    int taken = MANY / 2 + 1_234;
    assertThat(subjects(read(file(text.toString()))))
        .containsExactlyElementsOf(
            IntStream.range(0, MANY).mapToObj(i -> (i < taken ? "b" : "a") + i).toList());
  }

  /* The hour comes twice: only the time before a record tells which of them it means. */
  @Test
  void eachSecondOfARepeatedHourIsPlayedOnce() throws IOException {
    LocalDateTime first = LocalDateTime.of(2025, 10, 26, 1, 0);
    ZonedDateTime begin = first.atZone(ZoneId.of("Europe/Berlin"));
    StringBuilder text = new StringBuilder("time,ip\n");
    IntStream.range(0, 4 * 3_600)
        .mapToObj(i -> begin.plusSeconds(i).toLocalDateTime())
        .forEach(time -> text.append(time).append(time.getSecond() == 0 ? ":00,a\n" : ",a\n"));
    List<TrafficRequest> read = read(file(text.toString()), "--time-zone", "Europe/Berlin");
    assertThat(read)
        .extracting(TrafficRequest::timeUs)
        .containsExactlyElementsOf(
            IntStream.range(0, 4 * 3_600)
                .mapToObj(i -> (begin.toEpochSecond() + i) * 1_000_000)
                .toList());
    assertThat(count.of(Kind.PUT_IN_ORDER)).isZero();
    assertThat(count.of(Kind.IN_REPEATED_HOUR)).isEqualTo(2 * 3_600);
  }

  @Test
  void aSampleKeepsAllRequestsOfItsSubjects() throws IOException {
    Path log = file(json(IntStream.range(0, MANY).map(i -> i % 1_000)));
    List<TrafficRequest> all = read(log);
    List<TrafficRequest> kept = read(log, "--sample", "1/4");
    SubjectShare share = SubjectShare.of("1/4");
    assertThat(kept).isEqualTo(all.stream().filter(each -> share.has(each.subject())).toList());
    assertThat(subjects(kept).stream().distinct()).hasSizeBetween(200, 300);
    assertThat(count.of(Kind.REQUESTS)).isEqualTo(MANY);
    assertThat(count.of(Kind.NOT_IN_SAMPLE)).isEqualTo(MANY - kept.size());
  }

  @Test
  void aSampleWithoutASubjectIsRefused() throws IOException {
    LogSettings none =
        LogRead.settings(file(json(IntStream.range(0, 2_000))), "--sample", "1/1000000");
    assertThatThrownBy(() -> new SortedLog(none, LogRead.NOWHERE))
        .isInstanceOf(UserErrorException.class)
        .hasMessageContaining("choose a larger --sample");
  }

  @Test
  void itIsReadAgainFromTheFirst() throws IOException {
    Path log = file(json(IntStream.range(0, MANY).map(i -> MANY - i)));
    try (SortedLog sorted = new SortedLog(LogRead.settings(log), LogRead.NOWHERE, LogRead.FEW)) {
      assertThat(LogRead.all(sorted)).hasSize(MANY).isEqualTo(LogRead.all(sorted));
    }
  }

  /* Subject and cost go where their time goes. */
  private void assertSorted(List<Integer> seconds) throws IOException {
    Path log = file(json(seconds.stream().mapToInt(each -> each)));
    assertThat(read(log, "--cost", "field:cost"))
        .containsExactlyElementsOf(
            IntStream.range(0, MANY)
                .mapToObj(i -> new TrafficRequest(NOON_US + i * 1_000_000L, "\u20ac" + i, 1 + i))
                .toList());
  }

  private static String json(IntStream seconds) {
    StringBuilder text = new StringBuilder();
    seconds.forEach(
        i ->
            text.append(
                "{\"time\":%d,\"ip\":\"\u20ac%d\",\"cost\":%d}\n"
                    .formatted(1_763_640_000L + i, i, 1 + i)));
    return text.toString();
  }

  @Test
  void severalFilesOneAfterTheOther() throws IOException {
    Path first = file(COMMON);
    Path second = Files.writeString(directory.resolve("second.log"), COMBINED);
    assertThat(read(first, "--log", second.toString())).hasSize(2);
  }

  @Test
  void anEmptyFileHoldsNothing() throws IOException {
    assertThat(read(file(""))).isEmpty();
    assertThat(read(Files.write(directory.resolve("empty.gz"), gzip("")))).isEmpty();
  }

  @Test
  void whatIsNoLogIsRefused() throws IOException {
    Path binary = Files.write(directory.resolve("binary"), new byte[] {1, 0, 2, 0, 3});
    assertComplaint(binary, "is a binary file");
    Path zstd =
        Files.write(directory.resolve("z"), new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd});
    assertComplaint(zstd, "is compressed in a way that is not read here: zstd -dc FILE");
    Path picture =
        Files.write(
            directory.resolve("p"),
            "\u0089PNG,\n\u0001;\u00ff".getBytes(StandardCharsets.ISO_8859_1));
    assertComplaint(picture, "is a binary file");
    assertComplaint(file(COMMON.repeat(2).replace('\n', '\r')), "bare carriage returns");
    assertComplaint(file("x".repeat(1 << 19)), "has no line ends");
    assertComplaint(file("hello\nworld\n"), "give its format with --pattern");
  }

  @Test
  void wrongNamesOfFieldsAreNamedBesideTheRightOnes() throws IOException {
    Path csv = file("time,ip\n2025-11-20T12:00:00Z,192.0.2.1\n");
    assertThat(read(csv, "--subject", "field:adress")).isEmpty();
    assertOneComplaint("no field 'adress' among time, ip");
    assertThat(read(csv, "--time", "when")).isEmpty();
    assertOneComplaint("no field 'when'");
    assertThat(read(csv, "--subject", "user")).isEmpty();
    assertOneComplaint("no field for the user");
  }

  @Test
  void aLogOfWhichNothingCanBeReadIsGivenUp() throws IOException {
    Path csv = file("time,ip\n" + "2025-11-20T12:00:00Z,192.0.2.1\n".repeat(10_001));
    assertThatThrownBy(() -> read(csv, "--subject", "field:x"))
        .isInstanceOf(UserErrorException.class)
        .hasMessageContaining("none of the first 10000 lines");
  }

  @Test
  void aByteOrderMarkAndAMissingLastLineEndDoNotMatter() throws IOException {
    assertThat(read(file("\ufeff" + COMMON.strip()))).hasSize(1);
  }

  @Test
  void halfOfASurrogatePairIsNoSubject() throws IOException {
    Path log =
        file("{\"time\":1763640000,\"ip\":\"\\ud800\"}\n{\"time\":1763640000,\"ip\":\"ok\"}\n");
    assertThat(subjects(read(log))).containsExactly("ok");
    assertThat(count.of(Kind.UNREADABLE)).isEqualTo(1);
  }

  private void assertOneComplaint(String part) {
    assertThat(count.complaints()).singleElement().asString().contains(part);
  }

  private void assertComplaint(Path log, String part) {
    assertThatThrownBy(() -> read(log))
        .isInstanceOf(UserErrorException.class)
        .hasMessageContaining(part);
  }

  @Test
  void aFilterKeepsWhatHasTheValue() throws IOException {
    String line = "192.0.2.%d - - [20/Nov/2025:12:00:00 +0000] \"%s HTTP/1.1\" %d 1\n";
    Path log =
        file(
            line.formatted(1, "GET /api/a", 200)
                + line.formatted(2, "POST /api/b", 429)
                + line.formatted(3, "GET /other", 404));
    assertThat(subjects(read(log))).containsExactly("192.0.2.1", "192.0.2.2", "192.0.2.3");
    assertThat(count.of(Kind.DENIED_BEFORE)).isEqualTo(1);
    assertThat(subjects(read(log, "--where", "status!=429")))
        .containsExactly("192.0.2.1", "192.0.2.3");
    assertThat(count.of(Kind.LEFT_OUT)).isEqualTo(1);
    assertThat(subjects(read(log, "--where", "status=404"))).containsExactly("192.0.2.3");
    assertThat(subjects(read(log, "--where", "path=/api")))
        .containsExactly("192.0.2.1", "192.0.2.2");
    assertThat(subjects(read(log, "--where", "method=post"))).containsExactly("192.0.2.2");
    assertThatThrownBy(() -> RowFilter.of("color=red"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("FIELD is status, method, host or path");
  }

  private List<TrafficRequest> read(Path log, String... options) {
    LogRead read = LogRead.of(log, options);
    count = read.count();
    return read.requests();
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("log"), text);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private static List<String> subjects(List<TrafficRequest> requests) {
    return requests.stream().map(TrafficRequest::subject).toList();
  }

  private static List<Long> costs(List<TrafficRequest> requests) {
    return requests.stream().map(TrafficRequest::cost).toList();
  }
}
