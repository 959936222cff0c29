package io.github.penstock.testkit.topology;

import io.github.penstock.testkit.server.TestServer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Waits for a replica, by its own report and its master's. */
public final class ReplicaSync {
  private ReplicaSync() {}

  /**
   * Waits until the master offers the replica to clients, and the replica has all that was written
   * to the master before this was called.
   */
  public static void await(TestServer master, TestServer replica) {
    String online = "port=%d,state=online".formatted(replica.url().port());
    ServerEvents.await("the master offers its replica")
        .until(() -> replication(master).contains(online));
    long written = number(replication(master), "master_repl_offset");
    ServerEvents.await("the replica has what its master has").until(() -> has(replica, written));
  }

  private static boolean has(TestServer replica, long written) {
    String says = replication(replica);
    return says.contains("master_link_status:up") && number(says, "slave_repl_offset") >= written;
  }

  private static String replication(TestServer server) {
    return String.valueOf(server.call("INFO", "replication"));
  }

  private static long number(String info, String name) {
    Matcher line = Pattern.compile("(?m)^" + name + ":(\\d+)").matcher(info);
    if (!line.find()) {
      throw new IllegalStateException("no " + name + " in: " + info);
    }
    return Long.parseLong(line.group(1));
  }
}
