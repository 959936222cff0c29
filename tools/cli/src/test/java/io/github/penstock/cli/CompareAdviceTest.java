package io.github.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the page and the terminal say about traffic whose right answer is known. Continuous
 * integration has a browser check the pages in {@code target}.
 */
class CompareAdviceTest {
  private static final Pattern USE =
      Pattern.compile("Use token-bucket:(\\d+)/1m(?:,burst=(\\d+))?\\. ");
  @AutoClose private static final TestServer server = new EmbeddedServer().start();
  @TempDir private Path directory;

  @Test
  void steadyClientsNeedNoBurst() throws IOException {
    String page = page(PlantedTraffic.steady());
    assertThat(number(page)).isEqualTo(10);
    assertThat(page)
        .contains("It troubles none of 20 subjects and denies nothing; no admitted request waits;")
        .contains("The requests come evenly", "On this log fixed-window");
  }

  @Test
  void aBurstOfAHundredPasses() throws IOException {
    String page = page(PlantedTraffic.cron(), "--out", "target/advice");
    assertThat(number(page)).isEqualTo(100);
    assertThat(page)
        .contains("troubles none of 5 subjects", "On this log fixed-window")
        .contains("Bursts of 100 must pass");
    assertThat(head(page)).doesNotContain("leaky");
  }

  @Test
  void aLoudSubjectDoesNotSetTheNumber() throws IOException {
    for (PlantedTraffic each : List.of(PlantedTraffic.abuser(), PlantedTraffic.smallAbuser())) {
      String page = page(each);
      assertThat(number(page)).isBetween(11L, 16L);
      assertThat(page).contains("It troubles 1 of 301 subjects (abuser, ");
    }
    assertThat(page(PlantedTraffic.abuser()))
        .containsPattern(
            "\\(abuser, 38 % of the requests\\) and denies \\d+ % of the requests, nearly all of them this")
        .contains("1 subject makes 38 % of the requests, up to 900 in any minute (abuser)");
  }

  @Test
  void growingTrafficIsSaidToGrow() throws IOException {
    String page = page(PlantedTraffic.growth());
    assertThat(number(page)).isBetween(36L, 60L);
    assertThat(page)
        .contains("The traffic is rising, so this number will soon be too small. Alternative")
        .contains("The traffic is rising, and at its peak when the log ends")
        .contains("The number is that of the last minutes");
  }

  @Test
  void retriesGiveNoNumber() throws IOException {
    String page = page(PlantedTraffic.retry());
    assertThat(page)
        .contains(
            "No number follows from this log: most of its subjects ask again after about a second")
        .contains("20 of 20 subjects ask again after about a second")
        .contains("<output>1 per minute: denies something to 20 of 20 subjects")
        .doesNotContainPattern(USE);
    assertThat(page(PlantedTraffic.retry(), "--limit", "token-bucket:20/1m"))
        .contains("came again within a second", "about 3")
        .containsPattern("about 3\\d % of all requests are wanted");
  }

  @Test
  void aProxyIsSaidToBeOne() throws IOException {
    String page = page(PlantedTraffic.nat());
    assertThat(number(page)).isBetween(11L, 16L);
    assertThat(page)
        .contains("It troubles 1 of 201 subjects (nat, 50 % of the requests)")
        .contains("or many users behind one proxy", "If nat is a proxy with many users");
  }

  @Test
  void whereNobodyAsksTwiceThereIsNoNumber() throws IOException {
    assertThat(page(PlantedTraffic.once()))
        .contains("No number follows from this log: nobody asks twice in any minute.")
        .contains("Nobody asks twice in any minute. A limit by this field would deny nothing")
        .doesNotContainPattern(USE);
  }

  @Test
  void oneSubjectIsALimitForAll() throws IOException {
    String page = page(PlantedTraffic.one());
    assertThat(number(page)).isBetween(120L, 150L);
    assertThat(page)
        .contains("All requests are of one subject", "its fullest minute has ", "Bursts of ");
  }

  @Test
  void noNumberIsBelowTheDearestUsualRequest() throws IOException {
    String page = page(PlantedTraffic.costs(), "--cost", "field:units");
    assertThat(number(page)).isGreaterThanOrEqualTo(500);
    assertThat(page.split("1.0 % of the requests cost 500 or more", -1)).hasSize(2);
    assertThat(head(page)).doesNotContainPattern("bucket:[1-9]\\d?/1m");
  }

  @Test
  void aPageOfThirtyRequestsPassesAtOnce() throws IOException {
    String page = page(PlantedTraffic.pages());
    assertThat(number(page)).isEqualTo(30);
    assertThat(page).contains("On this log fixed-window");
    String leaky =
        page(PlantedTraffic.pages(), "--limit leaky-bucket:30/1m --limit token-bucket:30/1m");
    assertThat(number(leaky)).isEqualTo(30);
    assertThat(leaky)
        .contains("Alternative: leaky-bucket:30/1m, which troubles 50 of 50 and denies nothing")
        .containsPattern(
            "half of the admitted by (27|28|29)(\\.\\d)? s or more, 9\\d % beyond 1 s");
  }

  @Test
  void aBurstWithinASecondNeedsASmallBucket() throws IOException {
    String page = page(PlantedTraffic.second());
    assertThat(number(page)).isEqualTo(600);
    assertThat(page).contains("Use token-bucket:600/1m,burst=10. It troubles none of 10 subjects");
    assertThat(page(PlantedTraffic.second(), "--suggest", "1s"))
        .contains("Use token-bucket:10/1s.");
  }

  @Test
  void twoGroupsGetTwoNumbers() throws IOException {
    assertThat(page(PlantedTraffic.twoGroups()))
        .containsPattern(
            "For the 475 that ask for at most \\d in any minute use token-bucket:\\d/1m:")
        .contains("it troubles 25 of 500 subjects (paid", "does nothing for 95 % of the subjects");
    String two = page(new PlantedTraffic().users("u", 98, 50, 600).users("abuser", 2, 9_000, 600));
    assertThat(two)
        .contains("For the 98 that ask for at most ", "it troubles 2 of 100 subjects (abuser");
  }

  @Test
  void aNoisyTenantAmongFewIsLoud() throws IOException {
    String page = page(PlantedTraffic.noisyTenant());
    assertThat(number(page)).isBetween(36L, 56L);
    assertThat(page).contains("troubles 1 of 12 subjects (noisy0, ");
  }

  @Test
  void aCrawlerAmongVisitorsIsFound() throws IOException {
    String page = page(PlantedTraffic.crawler());
    assertThat(number(page)).isBetween(2L, 50L);
    assertThat(page).contains("troubles 1 of 2,001 subjects (crawler, ");
  }

  @Test
  void aPeakIsSaid() throws IOException {
    assertThat(page(PlantedTraffic.peak()))
        .contains("there is a peak of ", ": the number is made for the peak");
    assertThat(page(PlantedTraffic.crowd()))
        .contains("there is a peak of ", "one of more subjects, which a limit by subject does not");
    assertThat(page(PlantedTraffic.nightJob()))
        .contains("troubles 1 of 41 subjects (batch, ")
        .doesNotContain("there is a peak of ");
  }

  @Test
  void moreSubjectsAreNotMoreOfEach() throws IOException {
    assertThat(page(PlantedTraffic.moreClients()))
        .contains("The traffic is rising", "by more subjects, not by more requests of each");
    assertThat(page(PlantedTraffic.lateAbuser()))
        .contains("troubles 1 of 201 subjects (late, ")
        .doesNotContain("The traffic is rising");
    assertThat(page(PlantedTraffic.office())).doesNotContain("The traffic is rising");
  }

  @Test
  void oneSubjectIsNotSeveral() throws IOException {
    assertThat(page(PlantedTraffic.one()))
        .contains("It does not trouble the one subject and denies");
    String single = page(new PlantedTraffic().ask("a", 1, 1));
    assertThat(single)
        .contains("No number follows from this log: it covers less than a second.")
        .contains("The log covers one moment")
        .doesNotContainPattern(USE);
  }

  @Test
  void addressesThatShareNetworksAreNoticed() throws IOException {
    PlantedTraffic bots = new PlantedTraffic().users("u", 50, 30, 600);
    for (int i = 0; i < 300; i++) {
      bots.ask("2001:db8:0:%x::%x".formatted(i % 3, i), 2, j -> bots.random() * 600);
    }
    assertThat(page(bots)).contains("about 100 in each", "--subject address/64 counts it once");
    assertThat(page(PlantedTraffic.nat())).doesNotContain("address/64");
  }

  @Test
  void dearRequestsOfAFewAreSaidToBeTheirs() throws IOException {
    assertThat(page(PlantedTraffic.costs(), "--cost", "field:units"))
        .contains("cost 500 or more, all by 2 of 40 subjects: a limit below that would never");
    assertThat(page(PlantedTraffic.rareDear(), "--cost", "field:units"))
        .contains("of these limits can never admit 2 requests (0.02 %)")
        .doesNotContain("a limit that holds less never admits them");
  }

  @Test
  void whatAWaitIsAMedianOfIsSaid() throws IOException {
    String[] limits = {"--limit", "token-bucket:15/1m", "--limit", "leaky-bucket:15/1m"};
    assertThat(head(page(PlantedTraffic.abuser()))).contains("median retry-after");
    assertThat(head(page(PlantedTraffic.abuser(), limits)))
        .contains("median wait")
        .doesNotContain("median retry-after");
  }

  @Test
  void requestsThatCameAgainAreThoseOfTheLimitThatDeniesLeast() throws IOException {
    String[] limits = {"--limit", "fixed-window:5/1m", "--limit", "fixed-window:40/1m"};
    assertThat(page(PlantedTraffic.retry(), limits))
        .contains("of the requests that fixed-window:40/1m denied came again within a second");
    assertThat(page(PlantedTraffic.abuser(), limits)).doesNotContain("came again within a second");
  }

  @Test
  void costsOfEverySizeHaveANumberThatNearlyAllFit() throws IOException {
    String page = page(PlantedTraffic.sizes(), "--cost", "field:units");
    Matcher dear = Pattern.compile("cost ([\\d,]+) or more").matcher(page);
    assertThat(dear.find()).isTrue();
    assertThat(number(page)).isGreaterThanOrEqualTo(Long.parseLong(dear.group(1).replace(",", "")));
  }

  @Test
  void fewRequestsAreSaidToBeFew() throws IOException {
    assertThat(page(PlantedTraffic.few()))
        .contains("The log has 18 requests: too few for a number");
  }

  @Test
  void ofALongTailNearlyAllAreUntouched() throws IOException {
    String page = page(PlantedTraffic.longTail());
    Matcher troubled = Pattern.compile("It troubles (\\d+) of 400 subjects").matcher(page);
    assertThat(troubled.find()).isTrue();
    assertThat(Integer.parseInt(troubled.group(1))).isBetween(1, 4);
  }

  @Test
  void aSampleTakesTheHeaviestWholeAndSaysItsError() throws IOException {
    Pattern denied =
        Pattern.compile("denies (\\d+) %(?: \\(\\+/- ([\\d.]+) %\\))? of the requests");
    String[] limit = {"--limit", "fixed-window:3/1m"};
    Matcher exact = denied.matcher(page(PlantedTraffic.heavyTail(), limit));
    assertThat(exact.find()).isTrue();
    assertThat(exact.group(2)).isNull();
    String page = page(PlantedTraffic.heavyTail(), limit[0], limit[1], "--sample", "1/10");
    Matcher sampled = denied.matcher(page);
    assertThat(sampled.find()).isTrue();
    double error = Double.parseDouble(sampled.group(2));
    assertThat(error).isBetween(0.1, 3.0);
    assertThat(Double.parseDouble(sampled.group(1)))
        .isCloseTo(Double.parseDouble(exact.group(1)), within(error + 1));
    assertThat(page)
        .contains("troubles ~", "(z0-0, ", "every subject that makes more than a thousandth");
  }

  @Test
  void aSampleThatIsOffByATenthGivesNoAdvice() throws IOException {
    PlantedTraffic traffic = new PlantedTraffic().users("u", 2_000, 1, 600);
    String page = page(traffic.users("v", 1_100, 3, 600), "--sample", "1/1000");
    assertThat(page)
        .contains("No advice from this sample: by it there are ~")
        .doesNotContainPattern(USE);
  }

  @Test
  void aPeriodThatTheLogDoesNotCoverIsRefused() throws IOException {
    Path log = PlantedTraffic.few().write(directory.resolve("few.csv"));
    CommandRun ran = run(log, "--suggest", "1d");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("--suggest 1d: the log covers ", " only. Name a period");
  }

  @Test
  void whatWasDeniedAlreadyIsSaid() throws IOException {
    StringBuilder text = new StringBuilder("ts,client,status\n");
    for (int i = 0; i < 600; i++) {
      String status = i % 2 == 0 ? "200" : "429";
      text.append(1_790_000_000_000L + i * 500L).append(",c,").append(status).append('\n');
    }
    Path log = Files.writeString(directory.resolve("limited.csv"), text);
    assertThat(flat(run(log).out())).contains("50 % of the requests have status 429");
    assertThat(flat(run(log, "--where", "status!=429").out()))
        .contains("300 requests of 1 subject")
        .doesNotContain("have status 429");
  }

  @Test
  void aTierThatDoesNothingIsSaidToDoNothing() throws IOException {
    Path log = PlantedTraffic.abuser().write(directory.resolve("tiers.csv"));
    assertThat(flat(run(log, "--limit", "fixed-window:15/1m+100000/1h").out()))
        .contains("Tier 2 of fixed-window:15/1m+100000/1h, 100000/1h, does nothing here")
        .doesNotContain("Tier 1");
    assertThat(flat(run(log, "--limit", "fixed-window:10000/1m+100000/1h").out()))
        .contains("No tier of fixed-window:10000/1m+100000/1h denies anything here.");
  }

  @Test
  void ofTenLimitsTheTwoThatAreNamedAreDrawn() throws IOException {
    List<String> options = new ArrayList<>(List.of("--out", "target/ten"));
    for (int units = 5; units <= 50; units += 5) {
      options.addAll(List.of("--limit", "fixed-window:" + units + "/1m"));
    }
    String page = page(PlantedTraffic.longTail(), options.toArray(String[]::new));
    assertThat(page.split("<h3>fixed-window:", -1)).hasSize(3);
    assertThat(page).doesNotContain("<th scope=\"col\"></th>");
  }

  @Test
  void aRateIsARatio() throws IOException {
    String page =
        page(
            PlantedTraffic.pages(),
            "--limit token-bucket:1800/1h,burst=30 --limit token-bucket:30/1m");
    assertThat(page)
        .contains("one subject can pass at most 60 requests in any minute")
        .contains("On this log token-bucket:")
        .doesNotContain("The log covers");
  }

  @Test
  void aLimitThatCannotAdmitSomeRequestsIsNotOffered() throws IOException {
    String page =
        page(
            PlantedTraffic.costs(),
            "--cost field:units --limit token-bucket:100/1m --limit token-bucket:5000/1m");
    assertThat(page)
        .containsSubsequence(
            "Use token-bucket:5000/1m.", "token-bucket:100/1m can never admit 100");
    assertThat(page.split("can never admit", -1)).hasSize(2);
    assertThat(
            page(PlantedTraffic.costs(), "--cost", "field:units", "--limit", "fixed-window:9/1m"))
        .contains("None of these limits can be used");
  }

  @Test
  void anAssertionThatDoesNotHoldFailsWithThree() throws IOException {
    Path log = PlantedTraffic.abuser().write(directory.resolve("asserted.csv"));
    String[] held = {"--limit", "fixed-window:20/1m", "--assert", "subjects<1%"};
    assertThat(run(log, held).exitCode()).isZero();
    CommandRun failed =
        run(log, "--limit fixed-window:20/1m --assert subjects<1% --assert denied<30%");
    assertThat(failed.exitCode()).isEqualTo(3);
    assertThat(failed.err()).contains("--assert denied<30% does not hold: fixed-window:20/1m");
    assertThat(run(log, "--assert", "denied<1%").err())
        .contains("--assert needs a log and a limit");
    assertThat(run(log, "--limit", "fixed-window:1/1m", held[2], held[3], "--sample", "1/2").err())
        .contains("--assert needs the whole log: leave out --sample.");
    assertThat(run(log, "--limit", "fixed-window:1/1m", "--assert", "waits<1%").err())
        .contains("'waits<1%' must be denied<P% or subjects<P%");
  }

  @Test
  void twoRunsAreCompared() throws IOException {
    Path log = PlantedTraffic.abuser().write(directory.resolve("diff.csv"));
    assertThat(run(log, "--limit", "fixed-window:30/1m").exitCode()).isZero();
    Path old = directory.resolve("old.json");
    Files.copy(directory.resolve("report/compare.json"), old);
    assertThat(run(log, "--limit", "fixed-window:3/1m").exitCode()).isZero();
    String now = directory.resolve("report/compare.json").toString();
    CommandRun diff = CommandRun.penstock("compare", "--diff", old.toString(), now);
    assertThat(diff.exitCode()).as(diff.err()).isZero();
    assertThat(flat(diff.out()))
        .contains("fixed-window:3/1m: ", " by fixed-window:30/1m.")
        .containsPattern("Denied now, and not before: 300 subjects: u\\d+, ")
        .contains("Denied before, and not now: none.")
        .doesNotContain("Other times", "abuser");
    assertThat(CommandRun.penstock("compare", "--diff", log.toString(), now).err())
        .contains("is not the compare.json of a log");
  }

  private static String flat(String text) {
    return text.replaceAll("\\s+", " ");
  }

  private static long number(String page) {
    Matcher use = USE.matcher(page);
    assertThat(use.find()).as(head(page)).isTrue();
    return Long.parseLong(use.group(1));
  }

  /* What stands above the first chapter. */
  private static String head(String page) {
    return page.substring(0, page.indexOf("</header>"));
  }

  private String page(PlantedTraffic traffic, String... options) throws IOException {
    CommandRun ran = run(traffic.write(directory.resolve("planted.csv")), options);
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out().lines()).allMatch(line -> line.length() <= 100 || line.contains("Report"));
    int out = List.of(options).indexOf("--out");
    Path report = out < 0 ? directory.resolve("report") : Path.of(options[out + 1]);
    return Files.readString(report.resolve("compare.html"))
        .replace("<wbr>", "")
        .replace('\u00a0', ' ');
  }

  private CommandRun run(Path log, String... options) {
    List<String> all =
        new ArrayList<>(List.of("compare", "--redis", server.url().toString(), "--log"));
    all.addAll(List.of(log.toString(), "--subject", "field:client", "--check", "1/50"));
    all.addAll(List.of(options));
    if (!all.contains("--out")) {
      all.addAll(List.of("--out", directory.resolve("report").toString()));
    }
    return CommandRun.penstock(all.toArray(String[]::new));
  }
}
