package io.github.penstock.compat.suite;

import io.github.penstock.compat.model.Algorithm;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/** What holds on every deployment. */
abstract class CommonRules {
  abstract Trial trial();

  @Nested
  @DisplayName("fixed window")
  class FixedWindowLimiter extends AlgorithmRules {
    FixedWindowLimiter() {
      super(Algorithm.FIXED_WINDOW);
    }

    @Override
    Trial trial() {
      return CommonRules.this.trial();
    }
  }

  @Nested
  @DisplayName("token bucket")
  class TokenBucketLimiter extends AlgorithmRules {
    TokenBucketLimiter() {
      super(Algorithm.TOKEN_BUCKET);
    }

    @Override
    Trial trial() {
      return CommonRules.this.trial();
    }
  }

  @Nested
  @DisplayName("leaky bucket")
  class LeakyBucketLimiter extends AlgorithmRules {
    LeakyBucketLimiter() {
      super(Algorithm.LEAKY_BUCKET);
    }

    @Override
    Trial trial() {
      return CommonRules.this.trial();
    }
  }

  @Nested
  @DisplayName("keys and subjects")
  class Keys extends KeyRules {
    @Override
    Trial trial() {
      return CommonRules.this.trial();
    }
  }

  @Nested
  @DisplayName("batches")
  class Batches extends BatchRules {
    @Override
    Trial trial() {
      return CommonRules.this.trial();
    }
  }

  @Nested
  @DisplayName("scripts on the server")
  class Scripts extends ScriptRules {
    @Override
    Trial trial() {
      return CommonRules.this.trial();
    }
  }

  @Nested
  @DisplayName("asynchronous limiters")
  class Asynchronous extends AsyncRules {
    @Override
    Trial trial() {
      return CommonRules.this.trial();
    }
  }
}
