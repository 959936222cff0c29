package io.github.penstock.operations.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class FailureSentencesTest {
  private static final FailureSentences SENTENCES =
      new FailureSentences("ADDRESS failed: TEXT.")
          .on("DENIED", "ADDRESS denies: REASON.")
          .on("unknown host", "no ADDRESS");

  @Test
  void theFirstWhoseWordsAreFound() {
    assertThat(SENTENCES.complaint("h:1", "LOADING, so DENIED"))
        .hasMessage("h:1 denies: LOADING, so DENIED.");
    assertThat(SENTENCES.complaint("h:1", "LOADING"))
        .hasMessageStartingWith("h:1 is still loading");
    assertThat(SENTENCES.complaint("h:1", "READONLY")).hasMessageStartingWith("h:1 is a replica");
  }

  @Test
  void theReasonIsTheLastThatWasSaid() {
    RuntimeException failure = new IllegalStateException("outer", new IOException("DENIED here"));
    assertThat(SENTENCES.complaint("h:1", failure))
        .hasMessage("h:1 denies: DENIED here.")
        .hasCause(failure);
  }

  @Test
  void everythingIsSaidOnceWhereNoWordsAreFound() {
    RuntimeException failure = new IllegalStateException(new IOException("odd\nmore"));
    failure.addSuppressed(new IOException("other"));
    assertThat(SENTENCES.complaint("h:1", failure))
        .hasMessage("h:1 failed: java.io.IOException: odd: other.");
  }

  @Test
  void causesAndWhatTheySuppressAreSearched() {
    IOException cause = new IOException("cause");
    cause.addSuppressed(new UnknownHostException("h"));
    assertThat(SENTENCES.complaint("h:1", new IllegalStateException("outer", cause)))
        .hasMessage("no h:1");
  }

  @Test
  void aTerminalGetsNothingToObey() {
    assertThat(SENTENCES.complaint("h:1", "\u001b[2J")).hasMessage("h:1 failed: \\u001b[2J.");
  }
}
