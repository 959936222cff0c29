package io.github.penstock.simulator.log;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.simulator.traffic.RequestSource;
import io.github.penstock.simulator.traffic.SubjectShare;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Sorts requests by time outside of memory: sorted chunks go to a temporary file, and are merged as
 * they are read. Requests of the same time keep their order. Not safe for use by several threads.
 *
 * <p>The file is unlinked as soon as it is open, so nothing is left of it however the process ends.
 */
final class RequestSorter implements AutoCloseable {
  private static final Comparator<TrafficRequest> BY_TIME =
      Comparator.comparingLong(TrafficRequest::timeUs);
  private static final int BYTES_OF_OBJECTS = 100;
  private static final long LONGEST_RUN = 1L << 30;
  private final long mostBytes;
  private final List<TrafficRequest> chunk = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();
  private final Map<Run, ByteBuffer> mapped = new HashMap<>();
  private @Nullable FileChannel file;
  private long bytes;
  private long size;
  private long lastUs = Long.MAX_VALUE;

  /** With this number of bytes of memory for requests. */
  RequestSorter(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  void add(TrafficRequest request) {
    chunk.add(request);
    size++;
    bytes += BYTES_OF_OBJECTS + request.subject().length();
    if (bytes > mostBytes) {
      spill();
    }
  }

  long size() {
    return size;
  }

  /** Those of the subjects with some hashes in order; nothing may be added afterwards. */
  RequestSource source(LongPredicate of) {
    chunk.sort(BY_TIME);
    Queue<Head> heads =
        new PriorityQueue<>(
            Comparator.comparing(Head::next, BY_TIME).thenComparingInt(head -> head.run));
    List<Iterator<TrafficRequest>> sorted = new ArrayList<>();
    runs.forEach(run -> sorted.add(read(run, of)));
    sorted.add(
        chunk.stream().filter(each -> of.test(SubjectShare.hash(each.subject()))).iterator());
    sorted.stream()
        .filter(Iterator::hasNext)
        .forEach(each -> heads.add(new Head(each.next(), sorted.indexOf(each), each)));
    return () -> {
      Head first = heads.poll();
      if (first != null && first.rest.hasNext()) {
        heads.add(new Head(first.rest.next(), first.run, first.rest));
      }
      return first == null ? null : first.next;
    };
  }

  private record Head(TrafficRequest next, int run, Iterator<TrafficRequest> rest) {}

  /* Bytes of the file, in the order of time. */
  private record Run(long from, long to) {}

  /* A chunk that begins after the last run ended is added to that run, so a log in order is one run. */
  private void spill() {
    chunk.sort(BY_TIME);
    try {
      FileChannel to = file == null ? open() : file;
      file = to;
      long from = to.position();
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(to), 1 << 16));
      for (TrafficRequest each : chunk) {
        byte[] subject = each.subject().getBytes(StandardCharsets.UTF_8);
        out.writeLong(SubjectShare.hash(each.subject()));
        out.writeLong(each.timeUs());
        out.writeLong(each.cost());
        out.writeInt(subject.length);
        out.write(subject);
      }
      out.flush();
      Run last = runs.isEmpty() ? new Run(0, 0) : runs.get(runs.size() - 1);
      boolean follows = chunk.get(0).timeUs() >= lastUs && from - last.from < LONGEST_RUN;
      if (follows) {
        runs.remove(last);
      }
      runs.add(new Run(follows ? last.from : from, to.position()));
    } catch (IOException failure) {
      throw unusable(failure);
    }
    lastUs = chunk.get(chunk.size() - 1).timeUs();
    chunk.clear();
    bytes = 0;
  }

  private static FileChannel open() throws IOException {
    Path path = Files.createTempFile("penstock", ".sorted");
    try {
      return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } finally {
      Files.delete(path);
    }
  }

  private Iterator<TrafficRequest> read(Run run, LongPredicate of) {
    ByteBuffer in;
    try {
      in = open(run);
    } catch (IOException failure) {
      throw unusable(failure);
    }
    return new Iterator<>() {
      private @Nullable TrafficRequest following = find(in, of);

      @Override
      public boolean hasNext() {
        return following != null;
      }

      @Override
      public TrafficRequest next() {
        TrafficRequest next = following;
        if (next == null) {
          throw new NoSuchElementException();
        }
        following = find(in, of);
        return next;
      }
    };
  }

  private static @Nullable TrafficRequest find(ByteBuffer in, LongPredicate of) {
    while (in.hasRemaining()) {
      boolean found = of.test(in.getLong());
      long timeUs = in.getLong();
      long cost = in.getLong();
      int length = in.getInt();
      if (found) {
        byte[] subject = new byte[length];
        in.get(subject);
        return new TrafficRequest(timeUs, new String(subject, StandardCharsets.UTF_8), cost);
      }
      in.position(in.position() + length);
    }
    return null;
  }

  private ByteBuffer open(Run run) throws IOException {
    FileChannel sorted = file;
    if (sorted == null) {
      return ByteBuffer.allocate(0);
    }
    ByteBuffer known = mapped.get(run);
    if (known == null) {
      known = sorted.map(MapMode.READ_ONLY, run.from, run.to - run.from);
      mapped.put(run, known);
    }
    return known.duplicate();
  }

  private static UserErrorException unusable(IOException failure) {
    return new UserErrorException(
        "the log cannot be sorted in %s (%s): it takes about a third of the log's size there. Name another directory, JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR."
            .formatted(System.getProperty("java.io.tmpdir"), failure.getMessage()),
        failure);
  }

  @Override
  public void close() {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException failure) {
      throw unusable(failure);
    }
  }
}
