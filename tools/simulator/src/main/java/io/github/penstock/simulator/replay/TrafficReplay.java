package io.github.penstock.simulator.replay;

import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.simulator.model.ModelReply;
import io.github.penstock.simulator.model.ServerPipeline;
import io.github.penstock.simulator.model.ServerPipeline.SentCommand;
import io.github.penstock.simulator.traffic.RequestSource;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.RedisClient;

/**
 * Plays traffic against limits: the model decides, and the shipped scripts must decide the same on
 * a server that is given the time. Each limit is played by one thread at a time, in the traffic's
 * order; figures do not depend on how many threads there are. Not safe for use by several threads.
 */
final class TrafficReplay implements AutoCloseable {
  private static final int BATCH = 2_000;
  private static final int PATIENCE_SECONDS = 10;
  private final ExecutorService threads;
  private final ServerPipeline server;
  private long decisions;
  private long checked;

  TrafficReplay(RedisClient server, int threads) {
    ServerPipeline.load(server);
    this.server = new ServerPipeline(server);
    this.threads = Executors.newFixedThreadPool(threads, TrafficReplay::thread);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "replay");
    thread.setDaemon(true);
    return thread;
  }

  void play(RequestSource source, List<LimitReplay> limits) {
    List<LimitTask> tasks = limits.stream().map(LimitTask::new).toList();
    List<TrafficRequest> batch = next(source);
    while (!batch.isEmpty()) {
      OrderlyStop.check();
      List<TrafficRequest> requests = batch;
      long nowUs = batch.get(batch.size() - 1).timeUs();
      List<CompletableFuture<List<SentCommand>>> playing =
          tasks.stream()
              .map(
                  task ->
                      CompletableFuture.supplyAsync(
                          () -> {
                            requests.forEach(task::decide);
                            return task.end(nowUs);
                          },
                          threads))
              .toList();
      batch = next(source);
      playing.forEach(each -> await(each).forEach(server::send));
      server.flush();
    }
    end(tasks);
  }

  /** Forgets all subjects, none of which comes again, here and on the server. */
  void endPart(List<LimitReplay> limits) {
    limits.forEach(limit -> new LimitTask(limit).endPart().forEach(server::send));
    server.flush();
  }

  /** Plays a source that learns each decision before it produces the next request. */
  void react(RequestSource source, LimitReplay limit) {
    LimitTask task = new LimitTask(limit);
    for (TrafficRequest request = source.next(); request != null; request = source.next()) {
      ModelReply reply = task.decide(request);
      source.decided(request, reply.allowed(), reply.waitUs());
    }
    task.end(0).forEach(server::send);
    end(List.of(task));
  }

  private static List<TrafficRequest> next(RequestSource source) {
    List<TrafficRequest> batch = new ArrayList<>(BATCH);
    TrafficRequest next = source.next();
    while (next != null) {
      batch.add(next);
      next = batch.size() < BATCH ? source.next() : null;
    }
    return batch;
  }

  private void end(List<LimitTask> tasks) {
    server.flush();
    decisions += tasks.stream().mapToLong(LimitTask::decisions).sum();
    checked += tasks.stream().mapToLong(LimitTask::checked).sum();
  }

  private static List<SentCommand> await(CompletableFuture<List<SentCommand>> playing) {
    try {
      return playing.join();
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

  long decisions() {
    return decisions;
  }

  /** Returns how many of them a server made, too, all of them the same. */
  long checked() {
    return checked;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    try {
      threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
