package io.github.penstock.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NameBreaksTest {
  private static final String NAME = "token-bucket:10/1s,burst=15+100/1m+1000/1h,burst=1200";

  @Test
  void aNameIsBrokenBetweenItsNumbers() {
    assertThat(NameBreaks.parts(NAME))
        .containsExactly(
            "token-bucket:", "10/1s,", "burst=15+", "100/1m+", "1000/1h,", "burst=1200");
    assertThat(NameBreaks.html(NAME)).startsWith("token-bucket:<wbr>10/1s,<wbr>burst=15+<wbr>100");
  }

  @Test
  void timesAndNumbersAndWordsStayWhole() {
    String text = "At 22:13:20, 1,502,785 of 10.0.0.1:6379 &#39;a, b&#39; 1.5 s";
    assertThat(NameBreaks.parts(text)).containsExactly(text);
    assertThat(NameBreaks.html(text)).isEqualTo(text);
  }

  @Test
  void ofALongNameTheMiddleIsLeftOut() {
    assertThat(NameBreaks.shortened(NAME, 40)).isEqualTo("token-bucket:10/1s,…1000/1h,burst=1200");
    assertThat(NameBreaks.shortened(NAME, NAME.length())).isEqualTo(NAME);
    assertThat(NameBreaks.shortened("x".repeat(20) + "yz", 11)).isEqualTo("xxxxx…xxxyz");
  }
}
