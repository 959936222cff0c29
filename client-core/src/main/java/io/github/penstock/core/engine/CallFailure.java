package io.github.penstock.core.engine;

import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.ScriptRefusedException;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a call: the exception that its caller gets, and whether no decision could be made.
 *
 * @param kind what the failure proves
 * @param call the call
 * @param cause the client's own exception, or one that needs no words of ours
 * @param words the server's, if it said anything that the caller should read first
 * @param silent whether its node did not answer at all: no connection, or the deadline
 */
record CallFailure(
    Kind kind, ScriptCall call, RuntimeException cause, @Nullable String words, boolean silent) {
  /** The conclusion that a failure allows. */
  enum Kind {
    /** No decision could be made, and the call did not run. */
    DID_NOT_RUN,
    /** No decision could be made, and the call may have run. */
    UNANSWERED,
    /** Something is set up wrong, and the call charged nothing. */
    MISTAKE
  }

  /*
   * The server's error is recognised by a code word anywhere in its text, because Redis 6 wraps
   * what is raised inside a script ("ERR Error running script (call to f_...): @user_script:9:
   * -READONLY ..."); only NOSCRIPT, MOVED and ASK are answered before a script runs and must begin
   * the text.
   *
   * UNAVAILABLE proves that the call did not run. REFUSED does too, or that it ended before it wrote:
   * an application that is set up wrong should hear of it, whatever it does while Redis is down.
   * Anything else proves nothing: a proxy may answer an error of its own after it passed the call on.
   */
  private static final String[] REDIRECTED = {"NOSCRIPT", "MOVED", "ASK"};
  private static final String[] UNAVAILABLE = {
    "CLUSTERDOWN",
    "LOADING",
    "READONLY",
    "OOM",
    "MISCONF",
    "BUSY",
    "NOREPLICAS",
    "MASTERDOWN",
    "TRYAGAIN",
    "max number of clients reached"
  };
  private static final String[] REFUSED = {
    "NOPERM",
    "NOAUTH",
    "WRONGPASS",
    "DENIED",
    "WRONGTYPE",
    "CROSSSLOT",
    "ERR unknown command",
    "ACL failure in script",
    "can't run this command or subcommand"
  };
  private static final byte[] PEEK = {'0'};
  private static final String SCRIPTS_WORDS = "penstock ";
  private static final String OURS = "ERR " + SCRIPTS_WORDS;

  /** The failure of {@code call}, of which the server said {@code text}, if it said anything. */
  static CallFailure of(RuntimeException thrown, @Nullable String text, ScriptCall call) {
    if (thrown instanceof NotSentException notSent) {
      Kind kind = isMistake(text) ? Kind.MISTAKE : Kind.DID_NOT_RUN;
      return new CallFailure(kind, call, notSent.reason(), null, text == null);
    }
    if (thrown instanceof PenstockException known) {
      boolean unavailable = known instanceof NoDecisionException;
      return new CallFailure(
          unavailable ? Kind.UNANSWERED : Kind.MISTAKE, call, known, null, unavailable);
    }
    return text == null
        ? new CallFailure(Kind.UNANSWERED, call, thrown, null, true)
        : answered(thrown, text, call);
  }

  /** The failure of a call whose node is left alone at the moment. */
  static CallFailure leftAlone(ScriptCall call) {
    RuntimeException cause =
        new IllegalStateException("its node did not answer, and is left alone for a while");
    return new CallFailure(Kind.DID_NOT_RUN, call, cause, null, false);
  }

  /** Returns whether a connection is all that a call lacked, so that it may wait for one. */
  static boolean lacksConnection(RuntimeException thrown, @Nullable String text) {
    return thrown instanceof NotSentException notSent
        && notSent.isNotConnected()
        && !isMistake(text);
  }

  /** Returns whether no decision could be made; false for a mistake. */
  boolean unavailable() {
    return kind != Kind.MISTAKE;
  }

  /** The exception for the caller, whose key is of this policy; null if it is of none. */
  RuntimeException exception(@Nullable String policy) {
    if (cause instanceof PenstockException known) {
      return known;
    }
    String about = (policy == null ? "" : "policy " + policy + ", ") + "key " + call.keyText();
    return switch (kind) {
      case DID_NOT_RUN ->
          new NoDecisionException(
              about + ": no decision could be made, and nothing was charged: " + told(cause),
              cause);
      case UNANSWERED ->
          peeks()
              ? new NoDecisionException(
                  about + ": no answer came, and a peek charges nothing: " + told(cause), cause)
              : new MayHaveBeenChargedException(
                  about
                      + ": no answer shows whether "
                      + call.script().scriptName()
                      + " ran, so this call may have been charged: "
                      + told(cause),
                  cause);
      case MISTAKE -> mistake(about);
    };
  }

  private RuntimeException mistake(String about) {
    return words != null && words.startsWith(SCRIPTS_WORDS)
        ? new ScriptRefusedException(words + " (" + about + ")", cause)
        : new PenstockException(about + ": " + (words == null ? told(cause) : words), cause);
  }

  /* The message; if the exception only wraps another one, that one's. */
  static String told(RuntimeException cause) {
    Throwable telling = cause;
    Throwable wrapped = telling.getCause();
    while (wrapped != null && wrapped.toString().equals(telling.getMessage())) {
      telling = wrapped;
      wrapped = telling.getCause();
    }
    return telling.getMessage() == null ? telling.getClass().getName() : telling.getMessage();
  }

  /** The server's words, if it said anything; {@code port} knows how its client puts them. */
  static @Nullable String serverText(Throwable thrown, Function<Throwable, @Nullable String> port) {
    Throwable failure = PortStages.unwrapped(thrown);
    if (failure instanceof NotSentException notSent) {
      failure = PortStages.unwrapped(notSent.reason());
    }
    return port.apply(failure);
  }

  static boolean isNoScript(@Nullable String text) {
    return text != null && text.startsWith("NOSCRIPT");
  }

  private static CallFailure answered(RuntimeException thrown, String text, ScriptCall call) {
    int ours = text.indexOf(OURS);
    if (ours >= 0) {
      return mistake(thrown, text.substring(ours + "ERR ".length()), call);
    }
    if (text.contains("Function not found")) {
      String what =
          "the function %s is not on this server: call loadFunctions() once, and again after a"
              + " flush; nothing was charged";
      return mistake(thrown, what.formatted(call.targetText()), call);
    }
    if (isMistake(text)) {
      return mistake(thrown, text, call);
    }
    boolean didNotRun = startsWithAnyOf(REDIRECTED, text) || isAnyOf(UNAVAILABLE, text);
    return new CallFailure(
        didNotRun ? Kind.DID_NOT_RUN : Kind.UNANSWERED, call, thrown, null, false);
  }

  private static CallFailure mistake(RuntimeException thrown, String words, ScriptCall call) {
    return new CallFailure(Kind.MISTAKE, call, thrown, words, false);
  }

  private static boolean isMistake(@Nullable String text) {
    return text != null && isAnyOf(REFUSED, text);
  }

  /** A cost of 0. */
  private boolean peeks() {
    return call.argumentCount() > 0 && Arrays.equals(call.argument(0), PEEK);
  }

  private static boolean startsWithAnyOf(String[] words, String text) {
    for (String word : words) {
      if (text.startsWith(word + " ") || text.equals(word)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAnyOf(String[] words, String text) {
    for (String word : words) {
      if (hasWord(text, word)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasWord(String text, String word) {
    for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      int end = at + word.length();
      boolean begins = at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1));
      boolean ends = end == text.length() || !Character.isLetterOrDigit(text.charAt(end));
      if (begins && ends) {
        return true;
      }
    }
    return false;
  }
}
