package io.github.penstock.compat.suite;

import io.github.penstock.testkit.model.ScriptAlgorithm;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/** The rules that hold on every deployment. */
abstract class CommonRules {
  abstract AdapterTrial trial();

  @Nested
  @DisplayName("fixed window")
  class FixedWindowLimiter extends AlgorithmRules {
    FixedWindowLimiter() {
      super(ScriptAlgorithm.FIXED_WINDOW);
    }

    @Override
    AdapterTrial trial() {
      return CommonRules.this.trial();
    }
  }

  @Nested
  @DisplayName("token bucket")
  class TokenBucketLimiter extends AlgorithmRules {
    TokenBucketLimiter() {
      super(ScriptAlgorithm.TOKEN_BUCKET);
    }

    @Override
    AdapterTrial trial() {
      return CommonRules.this.trial();
    }
  }

  @Nested
  @DisplayName("leaky bucket")
  class LeakyBucketLimiter extends AlgorithmRules {
    LeakyBucketLimiter() {
      super(ScriptAlgorithm.LEAKY_BUCKET);
    }

    @Override
    AdapterTrial trial() {
      return CommonRules.this.trial();
    }
  }

  @Nested
  @DisplayName("sliding window")
  class SlidingWindowLimiter extends AlgorithmRules {
    SlidingWindowLimiter() {
      super(ScriptAlgorithm.SLIDING_WINDOW);
    }

    @Override
    AdapterTrial trial() {
      return CommonRules.this.trial();
    }
  }

  @Nested
  @DisplayName("interval bucket")
  class IntervalBucketLimiter extends AlgorithmRules {
    IntervalBucketLimiter() {
      super(ScriptAlgorithm.INTERVAL_BUCKET);
    }

    @Override
    AdapterTrial trial() {
      return CommonRules.this.trial();
    }
  }

  @Nested
  @DisplayName("keys and subjects")
  class Keys extends KeyRules {
    @Override
    AdapterTrial trial() {
      return CommonRules.this.trial();
    }
  }

  @Nested
  @DisplayName("batches")
  class Batches extends BatchRules {
    @Override
    AdapterTrial trial() {
      return CommonRules.this.trial();
    }
  }

  @Nested
  @DisplayName("scripts on the server")
  class Scripts extends ScriptRules {
    @Override
    AdapterTrial trial() {
      return CommonRules.this.trial();
    }
  }

  @Nested
  @DisplayName("asynchronous limiters")
  class Asynchronous extends AsyncRules {
    @Override
    AdapterTrial trial() {
      return CommonRules.this.trial();
    }
  }
}
