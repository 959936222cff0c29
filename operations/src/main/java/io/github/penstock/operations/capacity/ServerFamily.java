package io.github.penstock.operations.capacity;

/**
 * Servers that lay a string with an expiry out in memory in the same way. Sizes are those of
 * jemalloc with steps of 16 bytes, as Debian builds it.
 *
 * <p>The layouts were worked out from the servers' sources and held against {@code used_memory}:
 * docs/scale.md has both.
 */
public enum ServerFamily {
  /* An entry for the key and one for its expiry, the key's name, the value's object. */
  REDIS_8_0("Redis 6.0 to 8.0") {
    @Override
    long keyBytes(int name, int state, boolean number) {
      long value = state <= MOST_EMBEDDED ? allocated(OBJECT + shortString(state)) : OBJECT;
      long apart = state <= MOST_EMBEDDED ? 0 : allocated(string(state));
      return 2 * ENTRY + allocated(string(name)) + (number ? OBJECT : value + apart);
    }

    @Override
    double tableBytes(double slots, double keys) {
      return POINTER * slots;
    }
  },
  /* Name, expiry and object in one; the only key of a slot needs no entry. */
  REDIS_8_6("Redis 8.6") {
    @Override
    long keyBytes(int name, int state, boolean number) {
      return joined(name, state, number, OBJECT + name + 3 + shortString(state) <= CACHE_LINE);
    }

    @Override
    double tableBytes(double slots, double keys) {
      double taken = slots * -Math.expm1(-keys / slots);
      return POINTER * slots + OBJECT * (keys - taken);
    }
  },
  /* The same, in buckets of seven keys. */
  VALKEY_8_1("Valkey 8.1") {
    @Override
    long keyBytes(int name, int state, boolean number) {
      long together = OBJECT + EXPIRY + name + 3 + shortString(state);
      return joined(name, state, number, together <= CACHE_LINE);
    }

    @Override
    double tableBytes(double slots, double keys) {
      return buckets(slots, keys);
    }
  },
  /* The same; a state that is embedded takes the place of the pointer to it. */
  VALKEY_9_1("Valkey 9.1") {
    @Override
    long keyBytes(int name, int state, boolean number) {
      long together = POINTER + EXPIRY + 1 + string(name) + shortString(state);
      return together <= 2 * CACHE_LINE ? allocated(together) : joined(name, state, false, false);
    }

    @Override
    double tableBytes(double slots, double keys) {
      return buckets(slots, keys);
    }
  };

  private static final int POINTER = 8;
  private static final int EXPIRY = 8;
  private static final int OBJECT = 16;
  private static final int ENTRY = 32;
  private static final int CACHE_LINE = 64;
  private static final int MOST_EMBEDDED = 44;
  private static final int KEYS_OF_BUCKET = 7;
  private static final int STEP = 16;
  private static final int EVEN_STEPS = 128;
  private final String title;

  ServerFamily(String title) {
    this.title = title;
  }

  /**
   * The family of a server, or the nearest.
   *
   * @param version such as {@code Redis 7.0.15}, to be followed by anything
   */
  public static ServerFamily of(String version) {
    String[] numbers = version.replaceAll("^\\D*([0-9.]*).*$", "$1").split("\\.");
    int major = Integer.parseInt(numbers[0]);
    int minor = numbers.length > 1 ? Integer.parseInt(numbers[1]) : 0;
    if (version.contains("Valkey")) {
      return major < 9 ? VALKEY_8_1 : VALKEY_9_1;
    }
    return major < 8 || major == 8 && minor < 2 ? REDIS_8_0 : REDIS_8_6;
  }

  /** Its name for people, such as {@code Redis 6.0 to 8.0}. */
  public String title() {
    return title;
  }

  /**
   * The bytes of a key with its expiry, without its share of the tables.
   *
   * @param name bytes of its name
   * @param state bytes of its value
   * @param number whether the value is a whole number, which is kept as one
   */
  abstract long keyBytes(int name, int state, boolean number);

  /** The bytes of a table of so many slots that holds so many keys. */
  abstract double tableBytes(double slots, double keys);

  /**
   * The bytes of the two tables, of keys and of expiries, when both have been moved into their last
   * size.
   *
   * @param keys at least 1
   */
  double tablesBytes(long keys) {
    return 2 * tableBytes(slots(keys), keys);
  }

  /** The bytes that both tables take on top while the next larger ones are filled. */
  double growingBytes(long keys) {
    double slots = 2 * slots(keys);
    return 2 * tableBytes(slots, Math.min(keys, slots / 2));
  }

  private double slots(long keys) {
    long needed = this == VALKEY_8_1 || this == VALKEY_9_1 ? perBucket(keys) : keys;
    return Math.max(4, 2.0 * Long.highestOneBit(Math.max(1, needed - 1)));
  }

  private static long perBucket(long keys) {
    return (keys + KEYS_OF_BUCKET - 1) / KEYS_OF_BUCKET;
  }

  /* Keys fall on buckets at random. One of more than seven keeps six and a pointer to another. */
  private static double buckets(double buckets, double keys) {
    double mean = keys / buckets;
    double more = 0;
    double probability = Math.exp(-mean);
    for (int count = 0; count < 64; count++) {
      more += count <= KEYS_OF_BUCKET ? 0 : probability * ((count - 2) / (KEYS_OF_BUCKET - 1));
      probability *= mean / (count + 1);
    }
    return CACHE_LINE * buckets * (1 + more);
  }

  /* Object, expiry and name in one, and the state with them or apart. */
  private static long joined(int name, int state, boolean number, boolean embedded) {
    long head = OBJECT + EXPIRY + 1 + string(name);
    if (number) {
      return allocated(head);
    }
    return embedded
        ? allocated(head + shortString(state))
        : allocated(head) + allocated(string(state));
  }

  /* A string with its header and its end. */
  private static long string(int bytes) {
    return bytes + (bytes < 32 ? 2 : bytes < 256 ? 4 : 6);
  }

  private static long shortString(int bytes) {
    return bytes + 4;
  }

  /* Steps of 16 up to 128, then four steps to each doubling. */
  private static long allocated(long bytes) {
    long step = bytes <= EVEN_STEPS ? STEP : Long.highestOneBit(bytes - 1) / 4;
    return (bytes + step - 1) / step * step;
  }
}
