package io.github.penstock.operations.node;

import io.github.penstock.operations.bundle.BundleItem;
import io.github.penstock.operations.server.ServerComplaint;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.testkit.resp.RespError;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/** Looks for the scripts on every server of a deployment, and loads them. */
public final class BundleOnNodes {
  /* Less than a connection waits for an answer. */
  private static final String SYNC_MILLIS = "3000";
  private final NodeAccess access;

  public BundleOnNodes(NodeAccess access) {
    this.access = access;
  }

  /**
   * Each server with those of these scripts that it has.
   *
   * @param load whether to load the others; where not, the server's settings are looked at, too
   */
  public List<NodeReport> withScripts(List<BundleItem> scripts, boolean load) {
    return eachNode(!load, (node, group) -> scripts(node, scripts, load));
  }

  /* Servers keep scripts each for itself: none gets them from its primary. */
  private static List<ItemState> scripts(
      NodeConnection node, List<BundleItem> scripts, boolean load) {
    List<ItemState> states = new ArrayList<>();
    for (BundleItem script : scripts) {
      boolean had = has(node, script);
      Object loaded = load && !had ? node.expect("SCRIPT", "LOAD", script.source()) : null;
      String found = had ? script.sha1() : loaded == null ? null : loaded.toString();
      states.add(new ItemState(script.name(), script.sha1(), found, loaded != null));
    }
    return states;
  }

  private static boolean has(NodeConnection node, BundleItem script) {
    return List.of(1L).equals(node.expect("SCRIPT", "EXISTS", script.sha1()));
  }

  /**
   * Each server with its Functions library.
   *
   * @param load as with scripts
   * @param replace also a library that has functions which ours lacks
   */
  public List<NodeReport> withLibrary(boolean load, boolean replace) {
    return eachNode(
        !load,
        (node, group) ->
            load && group.isPrimary(node.address())
                ? loadedLibrary(node, group.replicas().size(), replace)
                : List.of(LoadedLibrary.on(node).state(false)));
  }

  private static List<ItemState> loadedLibrary(NodeConnection node, int replicas, boolean replace) {
    LoadedLibrary before = LoadedLibrary.on(node);
    if (LoadedLibrary.OURS.equals(before.sha1())) {
      return List.of(before.state(false));
    }
    if (!replace && !before.unknownFunctions().isEmpty()) {
      throw new UserErrorException(
          "%s has a library with functions that this one lacks (%s), so it is probably newer: give --replace to load this one anyway."
              .formatted(node.address(), String.join(", ", before.unknownFunctions())));
    }
    node.expect("FUNCTION", "LOAD", "REPLACE", LoadedLibrary.SOURCE);
    // Replicas get it from here: without this they might be asked too early.
    Object synced = replicas == 0 ? null : node.call("WAIT", "" + replicas, SYNC_MILLIS);
    if (synced instanceof RespError error) {
      throw ServerComplaint.of(node.address(), error.text());
    }
    return List.of(LoadedLibrary.on(node).state(true));
  }

  private List<NodeReport> eachNode(
      boolean check, BiFunction<NodeConnection, NodeGroup, List<ItemState>> work) {
    return new NodeSearch(access)
        .groups().stream()
            .flatMap(group -> group.all().map(address -> report(address, group, check, work)))
            .toList();
  }

  private NodeReport report(
      HostAndPort address,
      NodeGroup group,
      boolean check,
      BiFunction<NodeConnection, NodeGroup, List<ItemState>> work) {
    List<ItemState> items = List.of();
    NodeHealth health = NodeHealth.UNKNOWN;
    @Nullable String problem = null;
    try (NodeConnection connection = access.open(address)) {
      items = work.apply(connection, group);
      health = check ? NodeHealth.of(connection) : health;
    } catch (UserErrorException failure) {
      problem = failure.getMessage();
    }
    return new NodeReport(
        address, group.isPrimary(address), items, health.warnings(), health.aheadMicros(), problem);
  }
}
