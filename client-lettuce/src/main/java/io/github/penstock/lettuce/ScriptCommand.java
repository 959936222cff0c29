package io.github.penstock.lettuce;

import io.github.penstock.core.FailureKind;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ServerError;
import io.github.penstock.core.spi.TransportFailure;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.RedisProtocolException;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One call as a Lettuce command that is written at most once, and the stage of its answer. Safe for
 * use by several threads.
 */
final class ScriptCommand extends AsyncCommand<byte[], byte[], List<Object>> {
  /*
   * Lettuce keeps a command until it has its answer, and after a lost connection writes it again on
   * the next one: to the server a second charge. ClientOptions do not stop that in every version: a
   * replayFilter is not asked about commands that had been written, and REJECT_COMMANDS drops those
   * in 6.8 but not in 6.6. So the command itself sees to it. Lettuce requests its bytes on each
   * write; the first time it returns them, and afterwards, or once the caller has stopped waiting,
   * a PING, because each write must produce exactly one answer.
   *
   * A command that was never asked for its bytes never left this process. A call that was answered
   * MOVED or ASK did not run, and may be written once more.
   */
  /* The sentinels answered, and none of them knows the name. */
  private static final String UNKNOWN_MASTER =
      "Cannot provide redisAddress using sentinel for masterId ";

  private static final byte[] PING = "*1\r\n$4\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final int MOST_REDIRECTS = 5;
  private static final String MULTI =
      "the application has begun a MULTI on this connection, which the call would become part of:"
          + " hand in a connection that no transaction uses";
  private static final String SUBSCRIBED =
      "the application has subscribed on this connection, which takes no other commands: hand in a"
          + " connection of its own";
  private static final String WHILE_SUBSCRIBED = " not allowed while subscribed";
  private static final String QUEUE_FULL = "Request queue size exceeded";

  private final Answer answer;
  private final AtomicReference<Writing> writing = new AtomicReference<>(Writing.WAITING);
  private volatile boolean replaced;
  private volatile @Nullable BiConsumer<ScriptCommand, String> redirect;
  private volatile int redirects;
  private @Nullable Runnable onWrite;
  private @Nullable Runnable onAnswer;

  /** Whether the bytes of the call have left, or never will. */
  private enum Writing {
    WAITING,
    WRITTEN,
    GIVEN_UP
  }

  private ScriptCommand(ScriptCall call, Answer answer) {
    super(new Command<>(CommandKeyword.of(call.verb()), answer, arguments(call)));
    this.answer = answer;
    answer.command = this;
  }

  /** A call that is not written yet. */
  static ScriptCommand of(ScriptCall call) {
    return new ScriptCommand(call, new Answer());
  }

  /**
   * Passes this to {@code redirect} when it is answered MOVED or ASK, with that text.
   *
   * <p>Without it, and after {@value #MOST_REDIRECTS} times, such an answer is a failure.
   */
  ScriptCommand onRedirect(BiConsumer<ScriptCommand, String> redirect) {
    this.redirect = redirect;
    return this;
  }

  /** Runs {@code action} when this is written, on the event loop that does so. */
  ScriptCommand onWrite(Runnable action) {
    this.onWrite = action;
    return this;
  }

  /** Runs {@code action} when the answer has arrived, before its waiters continue. */
  ScriptCommand onAnswer(Runnable action) {
    this.onAnswer = action;
    return this;
  }

  /** Writes commands with one flush; those without a waiting caller are left out. */
  static void write(StatefulConnection<byte[], byte[]> connection, List<ScriptCommand> commands) {
    if (connection instanceof StatefulRedisConnection<?, ?> shared && shared.isMulti()) {
      failAll(commands, new MisconfiguredException(MULTI, null));
      return;
    }
    List<ScriptCommand> awaited = awaited(commands);
    try {
      if (awaited.size() == 1) {
        connection.dispatch(awaited.get(0));
      } else if (!awaited.isEmpty()) {
        connection.dispatch(awaited);
      }
    } catch (RuntimeException e) {
      failAll(awaited, e);
    }
  }

  private static List<ScriptCommand> awaited(List<ScriptCommand> commands) {
    return commands.size() == 1 && !commands.get(0).isDone()
        ? commands
        : commands.stream().filter(command -> !command.isDone()).toList();
  }

  static void failAll(List<ScriptCommand> commands, Throwable failure) {
    commands.forEach(command -> command.completeExceptionally(failure));
  }

  static @Nullable TransportFailure failureOf(Throwable thrown) {
    if (thrown instanceof RedisCommandExecutionException || greeted(thrown)) {
      return TransportFailure.answered(thrown.getMessage());
    }
    if (thrown instanceof RedisProtocolException) {
      return TransportFailure.of(FailureKind.UNKNOWN);
    }
    if (!(thrown instanceof RedisException)) {
      return null;
    }
    boolean unknown = String.valueOf(thrown.getMessage()).startsWith(UNKNOWN_MASTER);
    return TransportFailure.of(unknown ? FailureKind.MISCONFIGURED : FailureKind.NOT_ANSWERED);
  }

  /*
   * A server in protected mode sends an answer before any request; Lettuce has that in its own
   * exception.
   */
  private static boolean greeted(Throwable thrown) {
    return thrown instanceof RedisConnectionException
        && thrown.getMessage() != null
        && !ServerError.of(thrown.getMessage()).rule().isEmpty();
  }

  @Override
  public void encode(ByteBuf buffer) {
    if (!isDone() && writing.compareAndSet(Writing.WAITING, Writing.WRITTEN)) {
      if (onWrite != null) {
        onWrite.run();
      }
      super.encode(buffer);
    } else {
      replaced = true;
      buffer.writeBytes(PING);
    }
  }

  @Override
  public void complete() {
    if (onAnswer != null) {
      onAnswer.run();
    }
    BiConsumer<ScriptCommand, String> next = redirect;
    if (replaced) {
      completeExceptionally(new RedisException("the connection was lost before the answer came"));
    } else if (answer.redirected() && next != null && ++redirects <= MOST_REDIRECTS) {
      String where = answer.getError();
      answer.setError((String) null);
      next.accept(this, where);
    } else {
      super.complete();
    }
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    boolean written = writing.get() == Writing.WRITTEN;
    return super.completeExceptionally(written ? failure : notSent(failure));
  }

  /** Gives the call up; if it was not written it never will be, and says so. */
  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return writing.compareAndSet(Writing.WAITING, Writing.GIVEN_UP)
        ? completeExceptionally(late("not sent within the deadline"))
        : super.cancel(mayInterruptIfRunning);
  }

  private static NotSentException late(String why) {
    return new NotSentException(new UnsentCallException(why));
  }

  /* Any other reason that a call was not written is the connection's fault. */
  private NotSentException notSent(Throwable failure) {
    Throwable cause = TransportFailure.unwrapped(failure);
    if (cause instanceof NotSentException known) {
      return known;
    }
    RuntimeException reason =
        cause instanceof RuntimeException known ? known : new RedisException(cause);
    String words = String.valueOf(reason.getMessage());
    if (words.contains(WHILE_SUBSCRIBED)) {
      return new NotSentException(new MisconfiguredException(SUBSCRIBED, reason));
    }
    return words.startsWith(QUEUE_FULL) ? late(words) : NotSentException.notConnected(reason);
  }

  private static CommandArgs<byte[], byte[]> arguments(ScriptCall call) {
    CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
    int keys = call.keyCount();
    arguments.add(call.target()).add(keys);
    for (int i = 0; i < keys; i++) {
      arguments.addKey(call.key(i));
    }
    int count = call.argumentCount();
    for (int i = 0; i < count; i++) {
      arguments.add(call.argument(i));
    }
    return arguments;
  }

  /** The integers, or any other reply of the server. */
  private static final class Answer extends NestedMultiOutput<byte[], byte[]> {
    private @Nullable ScriptCommand command;

    Answer() {
      super(ByteArrayCodec.INSTANCE);
    }

    @Override
    public void setError(ByteBuffer text) {
      super.setError(text);
      if (command != null && redirected()) {
        command.writing.compareAndSet(Writing.WRITTEN, Writing.WAITING);
      }
    }

    boolean redirected() {
      return error != null && (error.startsWith("MOVED ") || error.startsWith("ASK "));
    }
  }
}
