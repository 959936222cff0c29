package io.github.penstock.local.internal;

import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.LimitKind;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaValue;

/**
 * The keys of reservations; keys of limits map to the state of this process's limiters. While a
 * script runs, the subjects of its keys are locked: scripts run one at a time, and no limiter waits
 * for more than one subject.
 */
public final class SharedKeys extends ExpiringKeys {
  private static final TierTerms[] ANY = TierTerms.of(FixedWindow.of(1, Duration.ofSeconds(1)));
  private final Function<String, SubjectTable> tables;
  private final Map<String, SubjectUse> locked = new HashMap<>();

  /**
   * Keys that limiters share.
   *
   * @param tables the subjects of a policy and a marker, by the prefix and the suffix of their keys
   */
  public SharedKeys(MicroClock clock, Function<String, SubjectTable> tables) {
    super(clock);
    this.tables = tables;
  }

  @Override
  void begin(List<String> keys) {
    for (String key : keys) {
      LimitKey parsed = LimitKey.of(key);
      if (parsed != null && !locked.containsKey(key)) {
        locked.put(key, locked(parsed));
      }
    }
  }

  @Override
  void end() {
    locked.values().forEach(SubjectUse::unlock);
    locked.clear();
  }

  private SubjectUse locked(LimitKey key) {
    SubjectTable table = tables.apply(key.table);
    TierTerms[] terms = new TierTerms[key.tiers];
    Arrays.fill(terms, ANY[0]);
    while (true) {
      SubjectUse use = table.of(key.subject, key.kind, terms, nowUs());
      if (use == null) {
        throw new MemoryErrorException("OOM too many subjects are in use");
      }
      use.lock();
      if (!use.isDropped()) {
        return use;
      }
      use.unlock();
      table.remove(key.subject, use);
    }
  }

  @Override
  @Nullable LuaValue get(String key) {
    SubjectUse use = locked.get(key);
    String text = use == null ? null : use.text(nowUs());
    if (use == null) {
      return super.get(key);
    }
    return text == null ? null : LuaValue.valueOf(text);
  }

  @Override
  void set(String key, LuaValue value, long lifeMs) {
    SubjectUse use = locked.get(key);
    if (use == null) {
      super.set(key, value, lifeMs);
    } else {
      use.parse(value.checkjstring(), lifeMs < 0 ? -1 : end(lifeMs));
    }
  }

  @Override
  void remove(String key) {
    SubjectUse use = locked.get(key);
    if (use == null) {
      super.remove(key);
    } else {
      use.clear();
    }
  }

  /**
   * The key of a limit: {@code prefix:policy:}, the subject in braces and optionally a member,
   * {@code :marker}.
   *
   * @param table prefix and suffix
   * @param subject the part between them, in the limiters' form
   */
  private record LimitKey(String table, String subject, LimitKind kind, int tiers) {
    private static final char TIER = '-';

    /** Null for any other key: held units, or a receipt, which belongs to no policy. */
    static @Nullable LimitKey of(String key) {
      int opening = key.indexOf('{');
      int last = key.lastIndexOf(':');
      String head = key.substring(0, opening);
      String marker = key.substring(last + 1);
      Optional<LimitKind> kind =
          Arrays.stream(LimitKind.values())
              .filter(each -> marker.startsWith(each.script().marker().letter()))
              .findFirst();
      if (head.indexOf(':') == head.length() - 1 || kind.isEmpty()) {
        return null;
      }
      String subject = key.substring(opening + 1, last);
      boolean alone = subject.indexOf('}') == subject.length() - 1;
      int tiers = 1 + (int) marker.chars().filter(c -> c == TIER).count();
      return new LimitKey(
          head + marker,
          alone ? subject.substring(0, subject.length() - 1) : subject,
          kind.get(),
          tiers);
    }
  }
}
