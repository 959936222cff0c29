package io.github.penstock.spring.method

/** Functions that suspend, under limits. */
open class SuspendingService {
  @RateLimited(policy = "two", subject = "#id")
  open suspend fun greet(id: String): String = "hello $id"
}
