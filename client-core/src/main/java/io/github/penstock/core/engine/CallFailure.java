package io.github.penstock.core.engine;

import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.ScriptRefusedException;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Why a call has no answer: what its caller gets, and whether that is because no decision could be
 * had.
 *
 * @param exception what the caller gets
 * @param unavailable whether no decision could be had; false for a mistake
 */
record CallFailure(RuntimeException exception, boolean unavailable) {
  /*
   * The server is known by a code word anywhere in its text, because Redis 6 wraps what is raised
   * inside a script ("ERR Error running script (call to f_...): @user_script:9: -READONLY ..."); only
   * NOSCRIPT, MOVED and ASK are answered before a script runs and must begin the text.
   *
   * UNAVAILABLE proves that the call did not run. REFUSED does too, or that it ended before it wrote:
   * an application that is set up wrong should hear of it, whatever it does while Redis is down.
   * Anything else proves nothing: a proxy may answer an error of its own after it passed the call on.
   */
  private static final String[] REDIRECTED = {"NOSCRIPT", "MOVED", "ASK"};
  private static final String[] UNAVAILABLE = {
    "CLUSTERDOWN", "LOADING", "READONLY", "OOM", "MISCONF", "BUSY", "NOREPLICAS"
  };
  private static final String[] REFUSED = {
    "NOPERM",
    "NOAUTH",
    "WRONGPASS",
    "WRONGTYPE",
    "ERR unknown command",
    "ACL failure in script",
    "can't run this command or subcommand"
  };
  private static final byte[] PEEK = {'0'};
  private static final String OURS = "ERR penstock ";

  /** The failure of {@code call}, of which the server said {@code text}, if it said anything. */
  static CallFailure of(RuntimeException thrown, @Nullable String text, ScriptCall call) {
    if (thrown instanceof NotSentException notSent) {
      return new CallFailure(notSent.reason(), text == null || !isAnyOf(REFUSED, text));
    }
    if (thrown instanceof PenstockException known) {
      return new CallFailure(known, known instanceof MayHaveBeenChargedException);
    }
    return text == null ? unanswered(thrown, call) : answered(thrown, text, call);
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
      String words = text.substring(ours + "ERR ".length());
      return new CallFailure(new ScriptRefusedException(words, thrown), false);
    }
    if (text.contains("Function not found")) {
      return new CallFailure(notLoaded(call, thrown), false);
    }
    if (isAnyOf(REFUSED, text)) {
      return new CallFailure(thrown, false);
    }
    boolean didNotRun = startsWithAnyOf(REDIRECTED, text) || isAnyOf(UNAVAILABLE, text);
    return didNotRun ? new CallFailure(thrown, true) : unanswered(thrown, call);
  }

  private static CallFailure unanswered(RuntimeException thrown, ScriptCall call) {
    String what = call.script().scriptName() + " has no answer";
    String why = ": " + thrown.getMessage();
    RuntimeException exception =
        peeks(call)
            ? new PenstockException(what + ", and a peek charges nothing" + why, thrown)
            : new MayHaveBeenChargedException(
                what + " that tells whether it ran, so this call may have been charged" + why,
                thrown);
    return new CallFailure(exception, true);
  }

  /** A cost of 0. */
  private static boolean peeks(ScriptCall call) {
    return call.argumentCount() > 0 && Arrays.equals(call.argument(0), PEEK);
  }

  private static PenstockException notLoaded(ScriptCall call, RuntimeException thrown) {
    String message =
        "the function %s is not on this server: call loadFunctions() once, and again after a flush;"
            + " nothing was charged";
    return new PenstockException(message.formatted(call.targetText()), thrown);
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
