package io.github.penstock.simulator.replay;

import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.simulator.model.ModelReply;
import io.github.penstock.simulator.traffic.RequestSource;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.RedisClient;

/**
 * Plays traffic against limits: the model decides, and the shipped scripts must decide the same on
 * servers that are given the time. Each limit is a sequence of tasks, and so is each server;
 * figures do not depend on how many threads run them. Not safe for use by several threads.
 */
final class TrafficReplay implements AutoCloseable {
  private static final int BATCH = 1_000;
  private static final int AHEAD = 16;
  private static final int PATIENCE_SECONDS = 10;
  private final ExecutorService threads;
  private final List<ServerLane> lanes = new ArrayList<>();
  private final Queue<Queue<CompletableFuture<Void>>> ahead = new ArrayDeque<>();
  private long decisions;
  private long checked;

  TrafficReplay(List<RedisClient> servers, int threads) {
    this.threads = Executors.newFixedThreadPool(threads, TrafficReplay::thread);
    for (RedisClient server : servers) {
      for (LuaScript script : LuaScript.values()) {
        server.scriptLoad(script.source());
      }
      lanes.add(new ServerLane(server, this.threads));
    }
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "replay");
    thread.setDaemon(true);
    return thread;
  }

  /** Plays all of the source against every limit. */
  void play(RequestSource source, List<LimitReplay> limits) {
    List<LimitTask> tasks = tasks(limits);
    List<TaskSequence> sequences = tasks.stream().map(task -> new TaskSequence(threads)).toList();
    int size = size(limits);
    for (List<TrafficRequest> batch = next(source, size);
        !batch.isEmpty();
        batch = next(source, size)) {
      List<TrafficRequest> requests = batch;
      long nowUs = batch.get(batch.size() - 1).timeUs();
      Queue<CompletableFuture<Void>> work = new ConcurrentLinkedQueue<>();
      for (int i = 0; i < tasks.size(); i++) {
        LimitTask task = tasks.get(i);
        work.add(
            sequences
                .get(i)
                .add(
                    () -> {
                      task.play(requests);
                      task.send(nowUs, work);
                    }));
      }
      goOn(work);
    }
    end(tasks);
  }

  /** Forgets all subjects, none of which comes again, here and on the servers. */
  void endPart(List<LimitReplay> limits) {
    Queue<CompletableFuture<Void>> work = new ConcurrentLinkedQueue<>();
    List<LimitTask> tasks = tasks(limits);
    tasks.forEach(task -> task.endPart(work));
    goOn(work);
    end(tasks);
  }

  /** Plays a source that learns each decision before it produces the next request. */
  void react(RequestSource source, LimitReplay limit) {
    List<LimitTask> tasks = tasks(List.of(limit));
    LimitTask task = tasks.get(0);
    int size = size(List.of(limit));
    int played = 0;
    for (TrafficRequest request = source.next(); request != null; request = source.next()) {
      ModelReply reply = task.decide(request);
      source.decided(request, reply.allowed(), reply.waitUs());
      played++;
      if (played % size == 0) {
        send(task, request);
      }
    }
    send(task, null);
    end(tasks);
  }

  private void send(LimitTask task, @Nullable TrafficRequest last) {
    Queue<CompletableFuture<Void>> work = new ConcurrentLinkedQueue<>();
    task.send(last == null ? 0 : last.timeUs(), work);
    goOn(work);
  }

  private List<LimitTask> tasks(List<LimitReplay> limits) {
    List<LimitTask> tasks = new ArrayList<>();
    limits.forEach(limit -> tasks.add(new LimitTask(limit, lanes, tasks.size())));
    return tasks;
  }

  /* A number of requests that decides about as many calls as a batch has. */
  private static int size(List<LimitReplay> limits) {
    long leasing = limits.stream().map(LimitReplay::leasing).filter(Objects::nonNull).count();
    int each = limits.size() + (int) leasing;
    return (BATCH + each - 1) / each;
  }

  private static List<TrafficRequest> next(RequestSource source, int size) {
    List<TrafficRequest> batch = new ArrayList<>(size);
    while (batch.size() < size) {
      TrafficRequest next = source.next();
      if (next == null) {
        break;
      }
      batch.add(next);
    }
    return batch;
  }

  /* Waits for tasks that are too far behind. */
  private void goOn(Queue<CompletableFuture<Void>> work) {
    OrderlyStop.check();
    ahead.add(work);
    if (ahead.size() > AHEAD) {
      await(ahead.remove());
    }
  }

  private void end(List<LimitTask> tasks) {
    while (!ahead.isEmpty()) {
      await(ahead.remove());
    }
    await(new ArrayDeque<>(lanes.stream().map(ServerLane::end).toList()));
    decisions += tasks.stream().mapToLong(LimitTask::decisions).sum();
    checked += tasks.stream().mapToLong(LimitTask::checked).sum();
  }

  /* The commands of a limit's task are in the queue before that task is complete. */
  private static void await(Queue<CompletableFuture<Void>> work) {
    try {
      for (CompletableFuture<Void> each = work.poll(); each != null; each = work.poll()) {
        each.join();
      }
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (failed.getCause() instanceof Error error) {
        throw error;
      }
      throw failed;
    }
  }

  /** Returns how many decisions were made. */
  long decisions() {
    return decisions;
  }

  /** Returns how many of them a server made, too, all of them the same. */
  long checked() {
    return checked;
  }

  /** Ends the servers' outstanding commands. */
  @Override
  public void close() {
    threads.shutdownNow();
    try {
      threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    lanes.forEach(ServerLane::close);
  }
}
