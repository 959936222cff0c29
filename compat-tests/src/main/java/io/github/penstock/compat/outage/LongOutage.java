package io.github.penstock.compat.outage;

import io.github.penstock.compat.result.FaultCase;
import java.time.Duration;
import java.util.function.Supplier;

/** The outages that are measured for the page only. */
enum LongOutage {
  WRITES_PAUSED(
      FaultCase.WRITES_PAUSED,
      true,
      () -> OutageCaseContext.settings("CLIENT PAUSE 60000 WRITE", "CLIENT UNPAUSE")),
  MEMORY_FULL(
      FaultCase.MEMORY_FULL,
      true,
      () -> OutageCaseContext.settings("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0")),
  NO_CLIENTS(
      FaultCase.NO_CLIENTS,
      true,
      () ->
          OutageCaseContext.settings(
              "CONFIG SET maxclients 1\nCLIENT KILL TYPE normal", "CONFIG SET maxclients 10000")),
  ACL_CHANGED(
      FaultCase.ACL_CHANGED,
      true,
      () ->
          OutageCaseContext.settings(
              "ACL SETUSER default -@scripting", "ACL SETUSER default +@scripting")),
  EVICTED_LRU(FaultCase.EVICTED_LRU, false, () -> OutageCaseContext.evicting("allkeys-lru")),
  EVICTED_TTL(FaultCase.EVICTED_TTL, false, () -> OutageCaseContext.evicting("volatile-ttl")),
  KILLED_WITH_AOF(
      FaultCase.KILLED_WITH_AOF,
      true,
      () ->
          OutageCaseContext.single(
              server -> server.kill(), server -> server.restart(), "--appendonly", "yes")),
  KILLED_WITH_RDB(FaultCase.KILLED_WITH_RDB, false, OutageCaseContext::killedAfterSaving),
  LOADING(FaultCase.LOADING, false, OutageCaseContext::loading),
  SCRIPT_KILLED(
      FaultCase.SCRIPT_KILLED,
      true,
      () -> OutageCaseContext.foreignScript("while true do end", true)),
  SCRIPT_SLOW(
      FaultCase.SCRIPT_SLOW,
      true,
      () -> OutageCaseContext.foreignScript("for i = 1, 3e8 do end", false)),
  HANDED_OVER(FaultCase.HANDED_OVER, true, OutageCaseContext::handedOver),
  REPLICA_LAGGED(FaultCase.REPLICA_LAGGED, false, OutageCaseContext::laggingReplica),
  SENTINEL_FAILOVER(FaultCase.SENTINEL_FAILOVER, false, OutageCaseContext::sentinelFailover),
  CLUSTER_FAILOVER(FaultCase.CLUSTER_FAILOVER, true, OutageCaseContext::clusterFailover),
  CLUSTER_DOWN(FaultCase.CLUSTER_DOWN, true, OutageCaseContext::clusterDown);

  /** How long it goes on. */
  static final Duration LENGTH = Duration.ofSeconds(3);

  private final FaultCase fault;
  private final boolean keepsCharges;
  private final Supplier<OutageCaseContext> scene;

  LongOutage(FaultCase fault, boolean keepsCharges, Supplier<OutageCaseContext> scene) {
    this.fault = fault;
    this.keepsCharges = keepsCharges;
    this.scene = scene;
  }

  FaultCase fault() {
    return fault;
  }

  /** Returns whether no charge may be lost. */
  boolean keepsCharges() {
    return keepsCharges;
  }

  OutageCaseContext open() {
    return scene.get();
  }
}
