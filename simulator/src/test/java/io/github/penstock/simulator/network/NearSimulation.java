package io.github.penstock.simulator.network;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.core.limit.LimitTier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Three processes, one server, one key. */
final class NearSimulation {
  private static final int PROCESSES = 3;
  private final SimulatedNetwork network = new SimulatedNetwork();
  private final ModelServer server = new ModelServer(network);
  private final NearWitness witness = new NearWitness();
  private final NearTraffic traffic;
  private final Random random;

  private NearSimulation(NearTraffic traffic, long seed) {
    this.traffic = traffic;
    random = new Random(seed);
  }

  /** Plays traffic and returns what was seen. */
  static NearWitness of(NearTraffic traffic, NearMistake mistake, long seed) {
    return new NearSimulation(traffic, seed).played(mistake);
  }

  private NearWitness played(NearMistake mistake) {
    List<NearProcess> processes = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      long ppm = traffic.partsPerMillion();
      DriftingClock clock =
          new DriftingClock(network, random.nextLong(), random.nextLong(-ppm, ppm + 1));
      processes.add(new NearProcess(network, server, clock, traffic, mistake, random, witness));
    }
    processes.forEach(
        process ->
            network.after(1 + random.nextInt(1_000_000), () -> step(process, traffic.calls())));
    network.run();
    if (traffic.surprises() == 0) {
      judgeLimit();
    }
    return witness;
  }

  private void step(NearProcess process, int calls) {
    if (calls == 0) {
      return;
    }
    if (traffic.surprises() > 0 && random.nextInt(traffic.surprises()) == 0) {
      surprise(process);
    }
    process.ask(process.anyLimit(), 1 + random.nextInt(traffic.mostCost()));
    boolean pause = random.nextInt(20) == 0;
    long apart = random.nextLong(traffic.apartNanos()) * (pause ? 20 : 1);
    network.after(1 + apart, () -> step(process, calls - 1));
  }

  private void surprise(NearProcess process) {
    switch (random.nextInt(4)) {
      case 0 -> process.refund(process.anyLimit(), false);
      case 1 -> process.refund(process.anyLimit(), true);
      case 2 -> server.delete(NearProcess.KEY);
      default -> server.step((random.nextBoolean() ? 1 : -1) * 10_000_000L);
    }
  }

  private void judgeLimit() {
    Limit limit = traffic.limits().get(0);
    LimitTier tier = limit.tiers().get(0);
    if (limit.kind() == LimitKind.TOKEN_BUCKET) {
      long atMost = traffic.lease() == null ? 0 : traffic.lease().atMost().toNanos();
      long perSecond = tier.units() / tier.period().toSeconds();
      witness.bucketHolds(tier.capacity(), perSecond, atMost + 2_000);
    } else if (!limit.kind().holdsBurst()) {
      judgeWindows(tier.units(), tier.periodMicros());
    }
  }

  private void judgeWindows(long limit, long windowUs) {
    for (long endUs : server.windowEndsUs()) {
      long endNanos = server.nanosAt(endUs);
      witness.holds(
          witness.admittedBetween(endNanos - windowUs * 1_000, endNanos) <= limit,
          "L2 no window admits more than its limit");
    }
  }
}
