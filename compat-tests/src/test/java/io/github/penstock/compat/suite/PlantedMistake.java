package io.github.penstock.compat.suite;

import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Leasing;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.LosingReservations;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Overloaded;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Remembering;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.Reserving;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.WithFaults;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.List;

/**
 * The mistakes that somebody who writes a script, a limiter or an adapter could make: the rule that
 * must find each, and the mutation.
 */
enum PlantedMistake {
  /** Keeps times as floating point numbers, whose fraction is lost where they are written. */
  FLOATS(
      FindingRule.of(
          "P7 what comes back comes back exactly, however often", ScriptAlgorithm.TOKEN_BUCKET),
      new ScriptChange("local r = after % units", "local r = 0")),

  /** Writes the state again although the call is denied. */
  WRITES_ON_DENIAL(
      FindingRule.of(
          "P2 a peek and a denied call write nothing",
          ScriptAlgorithm.TOKEN_BUCKET,
          ScriptAlgorithm.FIXED_WINDOW),
      new ScriptChange(
          "if cost ~= 0 and (tier_wait_us == 0 or clock_stepped_back) then", "if cost ~= 0 then"),
      new ScriptChange("cost ~= 0 and (each or clock_stepped_back)", "cost ~= 0")),

  /** Writes without a time to live. */
  FORGETS_TTL(
      FindingRule.of(
          "P5 what is written has a time to live that ends with the state",
          ScriptAlgorithm.TOKEN_BUCKET,
          ScriptAlgorithm.FIXED_WINDOW),
      new ScriptChange(
          ", next_state, \"PX\", format(\"%d\", (ahead_us + 999) / 1000 + has_now * 60000))",
          ", next_state)"),
      new ScriptChange(
          ", next_state, \"PX\", format(\"%d\", (ttl_us + 999) / 1000 + has_now * 60000))",
          ", next_state)")),

  /** Takes twice what a call costs. */
  CHARGES_TWICE(
      FindingRule.of(
          "P7 as many units as there are, and not one more",
          ScriptAlgorithm.TOKEN_BUCKET,
          ScriptAlgorithm.FIXED_WINDOW),
      new ScriptChange(
          "local r = after % units",
          "after = after + (tier_wait_us == 0 and cost > 0 and cost * period_us or 0) local r = after % units"),
      new ScriptChange(
          "local left = tier_limit - after",
          "after = after + (tier_wait_us == 0 and cost > 0 and cost or 0) local left = tier_limit - after")),

  /** Tells to wait a microsecond too little. */
  WRONG_WAIT(
      FindingRule.of(
          "P3 waiting exactly the wait is enough",
          ScriptAlgorithm.TOKEN_BUCKET,
          ScriptAlgorithm.FIXED_WINDOW),
      new ScriptChange(
          "never_us and -1 or tier_wait_us, ahead_us",
          "never_us and -1 or tier_wait_us - 1, ahead_us"),
      new ScriptChange(
          "never_us and -1 or wait_us, reset_us", "never_us and -1 or wait_us - 1, reset_us")),

  /** Admits what any tier but the first denies. */
  IGNORES_A_TIER(
      FindingRule.of(
          "P4 all tiers are charged, or none",
          ScriptAlgorithm.TOKEN_BUCKET,
          ScriptAlgorithm.FIXED_WINDOW),
      new ScriptChange(
          "if not tier or tier_wait_us > wait_us",
          "tier_wait_us = tier and 0 or tier_wait_us if not tier or tier_wait_us > wait_us")),

  /** Admits all of several calls or none. */
  ALL_OR_NONE(
      FindingRule.of(
          "P7 of several calls as many as fit are charged, and their number is answered",
          ScriptAlgorithm.SLIDING_WINDOW),
      new ScriptChange("granted = (left - left % each) / each", "granted = 0")),

  /** Counts a part of a unit in the older window as nothing. */
  ROUNDS_DOWN(
      FindingRule.of("P3 waiting exactly the wait is enough", ScriptAlgorithm.SLIDING_WINDOW),
      new ScriptChange("rest > 0 and quotient + 1 or quotient", "quotient")),

  /** Adds one batch of tokens, however many intervals passed. */
  ONE_BATCH(
      FindingRule.of("P3 waiting exactly the wait is enough", ScriptAlgorithm.INTERVAL_BUCKET),
      new ScriptChange("missing - batches * tokens", "missing - tokens")),

  /** Tells that a window ends later than it does. */
  ENDS_LATE(
      FindingRule.all(Leasing.class, "fixed-window:10000/300ms sliding-window:10000/300ms"),
      new ScriptChange(
          "return {granted, limit, remaining, 0, reset_us, tier}",
          "return {granted, limit, remaining, 0, reset_us + 300000, tier}")),

  /** Sends a call again after its reply was lost. */
  SENDS_AGAIN(
      FindingRule.of(WithFaults.class, "connectionsCut", "more than once"),
      MistakenLimiters.SCRIPTS),

  /** Takes a refused password for a server that cannot serve now. */
  OPENS_FOR_PASSWORD(FindingRule.scenario("the password is wrong"), MistakenLimiters.CONFUSED),

  /** Takes a server without memory for one that cannot serve now. */
  OPENS_FOR_FULL_MEMORY(FindingRule.scenario("the memory is full"), MistakenLimiters.CONFUSED),

  /** Takes a server that speaks TLS for one that does not answer. */
  OPENS_FOR_ALERT(
      FindingRule.row("PLAIN_TO_A_TLS_PORT_THAT_SENDS_AN_ALERT"), MistakenLimiters.CONFUSED),

  /** Takes its own full bound for an outage, while the server answers. */
  OPENS_FOR_FULL_BOUND(FindingRule.of(Overloaded.class, "healthy"), MistakenLimiters.CONFUSED),

  /** Says of a call without a connection that it may have been charged. */
  SAYS_IT_WAS_SENT(FindingRule.scenario("nobody listens"), MistakenLimiters.CONFUSED),

  /** Does not say which password no message may show. */
  SHOWS_PASSWORD(FindingRule.row("PASSWORD_THAT_IS_ECHOED"), MistakenLimiters.CONFUSED),

  /** Denies any cost of a subject that was denied one. */
  COST_LEFT_OUT(FindingRule.of(Remembering.class, "smallerCosts"), MistakenLimiters.FORGETFUL),

  /** Denies under any limit what was denied under one. */
  LIMIT_LEFT_OUT(FindingRule.of(Remembering.class, "raisedLimit"), MistakenLimiters.FORGETFUL),

  /** Never forgets by itself. */
  FOR_GOOD(
      FindingRule.cases(
          Remembering.class,
          "outsideChanges",
          FindingRule.OUTSIDE_CHANGE,
          "REFUND DELETED_KEY FLUSHALL RESTART CLOCK_FORWARD CLOCK_BACK"),
      MistakenLimiters.FORGETFUL),

  /** Remembers denials over its own refunds. */
  DEAF_TO_REFUNDS(FindingRule.of(Remembering.class, "ownRefund"), MistakenLimiters.FORGETFUL),

  /** Forgets what there is before a refund, and not what comes while it is on its way. */
  FORGETS_BEFORE(
      FindingRule.of(Remembering.class, "overlappingRefund"), MistakenLimiters.FORGETFUL),

  /** Forgets only when a refund was answered. */
  FORGETS_ANSWERED(FindingRule.of(Remembering.class, "failedRefund"), MistakenLimiters.FORGETFUL),

  /** Gives each limiter a memory of its own. */
  PER_LIMITER(FindingRule.of(Remembering.class, "limiterPerRequest"), MistakenLimiters.FORGETFUL),

  /** Remembers everything. */
  UNBOUNDED(FindingRule.of(Remembering.class, "bounded"), MistakenLimiters.FORGETFUL),

  /** Hands out a unit when an answer is lost. */
  LOST_IS_LEASED(FindingRule.of(Leasing.class, "lostAnswers"), MistakenLimiters.FORGETFUL),

  /** Asks for each entry in a call of its own. */
  ONE_BY_ONE(FindingRule.of(Reserving.class, "allOrNone"), MistakenLimiters.CARELESS),

  /** Holds on to what nobody ended in words. */
  CLOSES_NOTHING(FindingRule.of(Reserving.class, "ended"), MistakenLimiters.CARELESS),

  /** Charges the estimate of a call that is cancelled. */
  CANCEL_CHARGES(FindingRule.of(Reserving.class, "ended"), MistakenLimiters.CARELESS),

  /** Settles no more than was held. */
  NEVER_BEYOND(FindingRule.of(Reserving.class, "settled"), MistakenLimiters.CARELESS),

  /** Takes an entry that is not named for one that used nothing. */
  UNNAMED_IS_FREE(FindingRule.of(Reserving.class, "totalsOfEntries"), MistakenLimiters.CARELESS),

  /** Makes an id of its own in place of the one that it is given. */
  OTHER_ID(FindingRule.of(Reserving.class, "sameId"), MistakenLimiters.CARELESS),

  /** Says of what ran out that it was settled. */
  LATE_IS_SETTLED(FindingRule.of(Reserving.class, "ranOut"), MistakenLimiters.CARELESS),

  /** Says of what nobody decided that it was settled. */
  UNDECIDED_IS_SETTLED(
      FindingRule.of(LosingReservations.class, "undecided"), MistakenLimiters.CARELESS),

  LATE_REFUND(
      FindingRule.vectors("R4"),
      new ScriptChange(
          "hold(account, until_us, cost)",
          "hold(account, until_us, cost) for number = 1, #account.limits do charge(account.limits[number], cost, now_us) end"
              + " account.held = account.held - cost")),

  RAN_OUT_WHEN_SEEN(
      FindingRule.vectors("R5"), new ScriptChange("amount, until_us)", "amount, now_us)")),

  REPEAT_CHARGES(
      FindingRule.vectors("R2"),
      new ScriptChange("made_until_us and 1 or 0, turn_us", "0, turn_us")),

  END_OF_ONE_KEY(
      FindingRule.vectors("R5"),
      new ScriptChange(
          "hold(account, until_us, cost)",
          "hold(account, until_us - from_us + math.max(now_us, account.latest_us), cost)")),

  DEBT_FORGIVEN(
      FindingRule.vectors("R12"),
      new ScriptChange(
          "place = place + size",
          "place = place + size if tier.full then tier.used = math.min(tier.used, tier.full) end")),

  RECEIPT_ON_DENIAL(
      FindingRule.vectors("R2"),
      new ScriptChange(
          "reply[1], reply[2], reply[3] = 0,",
          "call('SET', keys[#keys], cmsgpack.pack(until_us, keep_us, 0, 0, {}, keys, arguments)) reply[1], reply[2], reply[3] = 0,")),

  RELEASES_OF_OTHERS(
      FindingRule.vectors("R4"),
      new ScriptChange(
          "account.holds = stored and account.state[1] == holds[4 * entry - 1]",
          "account.holds = stored")),

  HELD_WITHOUT_ROOM(
      FindingRule.vectors("R9"),
      new ScriptChange(
          "account.held + account.rest > left_of(account.limits[number], now_us)", "false")),

  RECEIPT_STAYS(
      FindingRule.vectors("R12"),
      new ScriptChange("if receipt then\n    call(\"DEL\", keys[#keys])", "if false then")),

  WAITS_FOR_THE_STEP(
      FindingRule.vectors("R12"),
      new ScriptChange("math.min(turn_at_us - now_us, backlog_us)", "turn_at_us - now_us")),

  FRACTIONS(FindingRule.vectors("R13"), new ScriptChange("fraction == 0 and", "")),

  OPEN_WITHOUT_USE(
      FindingRule.vectors("R13"),
      new ScriptChange("is_right = is_right and end_us == 0", "is_right = is_right")),

  ANY_FIRST_WRITE(FindingRule.vectors("R13"), new ScriptChange("and first_us % 1 == 0", "")),

  CHARGES_ALTHOUGH_DENIED(
      FindingRule.vectors("R1"), new ScriptChange("longest_us == 0 and not peeks", "not peeks")),

  IGNORES_HELD(
      FindingRule.vectors("R3"),
      new ScriptChange("cost > 0 and account.held + cost", "cost > 0 and cost")),

  WAITS_TOO_LITTLE(
      FindingRule.vectors("R11"),
      new ScriptChange("cost, now_us) - now_us", "cost, now_us) - now_us - 1")),

  PEEK_WRITES(
      FindingRule.vectors("R7"),
      new ScriptChange("does or longest_us > 0 and account.moved", "does or account.moved")),

  DIES_TOO_SOON(FindingRule.vectors("R10"), new ScriptChange("+ 1000 + has_now", "+ has_now"));

  private final FindingRule rule;
  private final MistakenLimiters limiters;
  private final List<ScriptChange> changes;

  PlantedMistake(FindingRule rule, ScriptChange... changes) {
    this.rule = rule;
    this.limiters = MistakenLimiters.SCRIPTS;
    this.changes = List.of(changes);
  }

  PlantedMistake(FindingRule rule, MistakenLimiters limiters) {
    this.rule = rule;
    this.limiters = limiters;
    this.changes = List.of();
  }

  FindingRule rule() {
    return rule;
  }

  MistakenLimiters limiters() {
    return limiters;
  }

  /** The text of a script with the mistake in it, where it has a place for it. */
  String in(String source) {
    String changed = source;
    for (ScriptChange change : changes) {
      changed = changed.replace(change.from, change.to);
    }
    return changed;
  }

  /** The texts to be changed that stand in none of some scripts. */
  List<String> withoutPlace(List<String> sources) {
    return changes.stream()
        .map(ScriptChange::from)
        .filter(from -> sources.stream().noneMatch(source -> source.contains(from)))
        .toList();
  }

  /** A text of a script, and the text that replaces it. */
  private record ScriptChange(String from, String to) {}
}
