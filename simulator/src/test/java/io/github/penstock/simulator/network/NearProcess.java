package io.github.penstock.simulator.network;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.core.near.DenialMemory;
import io.github.penstock.core.near.LeaseRefill;
import io.github.penstock.core.near.LeaseTable;
import io.github.penstock.core.near.SubjectLease;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A process that asks for one key, through a near layer of its own, with or without a mistake. */
final class NearProcess {
  static final String KEY = "penstock:api:{u}:x";

  /** Six times a microsecond is rounded, by the server, here and in this test. */
  private static final long ROUNDED_US = 6;

  private static final byte[] KEY_BYTES = KEY.getBytes(StandardCharsets.US_ASCII);
  private final SimulatedNetwork network;
  private final ModelServer server;
  private final DriftingClock clock;
  private final NearTraffic traffic;
  private final NearMistake mistake;
  private final Random random;
  private final NearWitness witness;
  private final DenialMemory memory;
  private final LeaseTable leases;
  private Denial denial = new Denial(0, 0, 0, -1);
  private Parcel parcel = new Parcel(0, 0, 0);
  private long refundBegan;
  private long resetEnded;
  private int takings;

  /* The denial that is remembered, as this process knows it. */
  private record Denial(long sent, long answered, long tripNanos, int writes) {}

  /* The lease that is held: since when, until when its window lasts, and what was handed out. */
  private record Parcel(long sent, long endUs, long left) {}

  /* One call for units. */
  private record Question(
      Limit limit,
      long cost,
      long calls,
      @Nullable SubjectLease lease,
      @Nullable LeaseRefill own) {}

  NearProcess(
      SimulatedNetwork network,
      ModelServer server,
      DriftingClock clock,
      NearTraffic traffic,
      NearMistake mistake,
      Random random,
      NearWitness witness) {
    this.network = network;
    this.server = server;
    this.clock = clock;
    this.traffic = traffic;
    this.mistake = mistake;
    this.random = random;
    this.witness = witness;
    memory = new DenialMemory(64, traffic.remembered(), clock);
    leases = new LeaseTable(64, clock);
    refundBegan = clock.nanos() - 1;
    resetEnded = clock.nanos() - 1;
  }

  /** Asks for units, as a limiter does. */
  void ask(Limit limit, long cost) {
    LeaseTerms terms = traffic.lease();
    SubjectLease lease = terms == null ? null : leases.of(KEY_BYTES, limit, terms);
    Decision held = lease == null ? null : lease.handOut(cost);
    if (held != null) {
      handedOut(cost);
      return;
    }
    Decision known = memory.find(KEY_BYTES, known(limit), cost);
    if (known != null) {
      toldAgain(known, limit, cost);
      return;
    }
    long calls = lease == null ? 1 : lease.callsToTake(cost);
    if (lease == null || calls == 1) {
      send(new Question(limit, cost, 1, lease, null));
      return;
    }
    LeaseRefill own = lease.begin();
    if (own != null) {
      witness.holds(++takings == 1, "L8 one call at a time takes a lease");
      send(new Question(limit, cost, calls, lease, own));
    } else {
      LeaseRefill other = lease.taking();
      if (other == null) {
        ask(limit, cost);
      } else {
        other.ending().thenRun(() -> ask(limit, cost));
      }
    }
  }

  /** Gives one unit back, or all. */
  void refund(Limit limit, boolean all) {
    memory.forget(KEY_BYTES);
    refundBegan = clock.nanos();
    if (all) {
      leases.drop(KEY_BYTES);
    }
    network.after(
        way(),
        () -> {
          server.refund(KEY, limit, all ? Limit.MAX_UNITS : 1);
          network.after(way(), () -> refunded(all));
        });
  }

  private void refunded(boolean all) {
    memory.forget(KEY_BYTES);
    refundBegan = clock.nanos();
    if (all) {
      leases.drop(KEY_BYTES);
      resetEnded = clock.nanos();
    }
  }

  private void send(Question asked) {
    long sent = clock.nanos();
    long way = way();
    long back = way();
    boolean lost =
        traffic.lost() > 0 && random.nextInt(traffic.lost()) == 0
            || way + back > NearTraffic.DEADLINE_NANOS;
    if (mistake == NearMistake.LEASED_UNASKED && asked.own != null) {
      asked.own.answered(asked.cost, imagined(asked), sent);
    }
    network.after(
        way,
        () -> {
          AcquiredUnits answer = server.charge(KEY, asked.limit, asked.cost, asked.calls);
          long endUs = server.windowEndUs(KEY);
          int writes = server.writes(KEY);
          if (lost) {
            network.after(NearTraffic.DEADLINE_NANOS - way, () -> ended(asked));
            return;
          }
          if (answer.units() > 0) {
            witness.admitted(network.nowNanos(), asked.cost);
          }
          network.after(
              back,
              () -> {
                answered(asked, answer, sent, endUs);
                remember(asked, answer.decision(), new Denial(sent, clock.nanos(), back, writes));
                ended(asked);
              });
        });
  }

  private void answered(Question asked, AcquiredUnits answer, long sent, long endUs) {
    if (asked.own == null) {
      if (asked.lease != null) {
        asked.lease.asked(asked.cost, answer.decision());
      }
      return;
    }
    if (mistake != NearMistake.LEASED_UNASKED) {
      asked.own.answered(asked.cost, fed(asked.limit, answer), sent);
    }
    long more = (answer.units() - 1) * asked.cost;
    if (more > 0) {
      parcel = new Parcel(sent, endUs, more);
      if (mistake == NearMistake.LEASE_RETURNED) {
        network.after(lifeNanos(endUs), () -> giveBack(asked.limit, sent));
      }
    }
  }

  private void ended(Question asked) {
    if (asked.own != null) {
      takings--;
      asked.own.end();
    }
  }

  private void remember(Question asked, Decision answer, Denial seen) {
    if (answer.allowed()) {
      return;
    }
    boolean fromAnswer = mistake == NearMistake.ANSWER_FOR_SENT;
    boolean fromCall = mistake == NearMistake.SENT_FOR_ANSWER;
    memory.remember(
        KEY_BYTES,
        known(asked.limit),
        asked.cost,
        answer,
        fromAnswer ? seen.answered : seen.sent,
        fromCall ? seen.sent : seen.answered);
    long most = traffic.remembered().toNanos();
    long life = answer.impossible() ? most : Math.min(most, answer.waitMicros() * 999);
    if ((fromAnswer || seen.answered - seen.sent < life) && seen.sent > refundBegan) {
      denial = seen;
    }
  }

  private void toldAgain(Decision told, Limit limit, long cost) {
    witness.toldAgain();
    long most = traffic.remembered().toNanos();
    boolean strictly = traffic.surprises() == 0 && traffic.partsPerMillion() < 1_000;
    witness.holds(clock.nanos() - denial.sent < most, "N3 nothing is remembered for longer");
    witness.holds(denial.sent > refundBegan, "N5 a refund of its own forgets");
    Decision real = server.wouldAnswer(KEY, limit, cost);
    if (strictly) {
      witness.holds(!real.allowed(), "N2 the server would have denied as well");
    }
    if (strictly && !real.allowed() && denial.writes == server.writes(KEY)) {
      long longer = told.waitMicros() - real.waitMicros();
      long passed = clock.nanos() - denial.answered;
      witness.holds(longer >= 0, "N4 the wait told is never too short");
      witness.holds(
          longer <= denial.tripNanos / 1_000 + passed / 500_000 + ROUNDED_US,
          "N4 it is too long by a trip and a thousandth at most");
    }
  }

  private void handedOut(long cost) {
    parcel = new Parcel(parcel.sent, parcel.endUs, parcel.left - cost);
    witness.holds(parcel.left >= 0, "L1 nothing is handed out that was not charged");
    witness.holds(
        parcel.endUs == 0 || server.nowUs() < parcel.endUs, "L2 units die with their window");
    witness.holds(parcel.sent > resetEnded, "L6 a reset drops what is held");
    witness.handedOut(cost);
    witness.admitted(network.nowNanos(), cost);
  }

  private void giveBack(Limit limit, long sent) {
    long left = parcel.left;
    if (parcel.sent == sent && left > 0) {
      network.after(way(), () -> server.refund(KEY, limit, left));
    }
  }

  private long lifeNanos(long endUs) {
    long most = traffic.lease() == null ? 0 : traffic.lease().atMost().toNanos();
    return endUs == 0 ? most : Math.min(most, Math.max(0, endUs - server.nowUs()) * 1_000);
  }

  private Limit known(Limit limit) {
    return mistake == NearMistake.LIMIT_LEFT_OUT ? traffic.limits().get(0) : limit;
  }

  private AcquiredUnits fed(Limit limit, AcquiredUnits answer) {
    if (mistake != NearMistake.LIVES_FOR_RESET
        || limit.kind() != LimitKind.SLIDING_WINDOW
        || answer.units() == 0) {
      return answer;
    }
    Decision told = answer.decision();
    long window = limit.tiers().get(0).periodMicros();
    Decision longer =
        new Decision(
            true,
            told.limit(),
            told.remaining(),
            told.waitMicros(),
            told.resetMicros() + window,
            1,
            DecisionSource.SERVER);
    return new AcquiredUnits(answer.units(), longer);
  }

  private static AcquiredUnits imagined(Question asked) {
    return new AcquiredUnits(
        asked.calls, new Decision(true, 1, 1, 0, 60_000_000, 1, DecisionSource.SERVER));
  }

  private long way() {
    return 100_000 + Math.floorMod(random.nextLong(), traffic.slowestNanos());
  }

  /** The limits of the traffic, for whoever needs one of them. */
  Limit anyLimit() {
    List<Limit> limits = traffic.limits();
    return limits.get(random.nextInt(limits.size()));
  }
}
