package io.github.penstock.compat.result;

/** The faults of the suite's cases, in the order of docs/clients.md. */
public enum FaultCase {
  REPLIES_DROPPED("replies dropped after execution"),
  ONE_CONNECTION_CUT("one connection cut after execution"),
  CONNECTIONS_CUT("connections cut after execution"),
  REPLIES_LATE("replies later than the deadline"),
  BLACK_HOLE("nothing passes"),
  SILENT_CONNECTIONS("old connections silent for good"),
  CONNECTIONS_REFUSED("connections refused"),
  SERVER_STOPPED("server stopped for 5 s"),
  POOL_EXHAUSTED("server stopped for 3 s, pool exhausted"),
  SERVER_RESTARTED("server restarted"),
  PRIMARY_KILLED("primary killed", 300),
  SLOT_MOVED("slot moved 6 times"),
  WRITES_PAUSED("writes paused (CLIENT PAUSE)"),
  MEMORY_FULL("memory full, noeviction"),
  NO_CLIENTS("connections cut, no more accepted (maxclients)"),
  ACL_CHANGED("scripts forbidden (ACL), then allowed"),
  EVICTED_LRU("memory full, allkeys-lru"),
  EVICTED_TTL("memory full, volatile-ttl"),
  KILLED_WITH_AOF("killed, with AOF"),
  KILLED_WITH_RDB("killed 1 s after it saved (RDB)"),
  LOADING("killed, and slow to load"),
  SCRIPT_KILLED("foreign script, until SCRIPT KILL"),
  SCRIPT_SLOW("foreign script that ends"),
  HANDED_OVER("FAILOVER, behind one address"),
  REPLICA_LAGGED("replica promoted that lags by 500 ms"),
  SENTINEL_FAILOVER("SENTINEL FAILOVER"),
  CLUSTER_FAILOVER("CLUSTER FAILOVER"),
  CLUSTER_DOWN("cluster down (CLUSTERDOWN)"),
  FLOOD("200,000 calls while the server is stopped for 30 s", 0);

  /* Those of all threads before and after the fault. */
  private static final long CALM_CALLS = 1_000;

  private final String text;
  private final long leastDecided;

  FaultCase(String text) {
    this(text, CALM_CALLS);
  }

  FaultCase(String text, long leastDecided) {
    this.text = text;
    this.leastDecided = leastDecided;
  }

  /** How many calls the server must decide before, during and after it, at least. */
  public long leastDecided() {
    return leastDecided;
  }

  /** The case as readers get to see it. */
  public String text() {
    return text;
  }
}
