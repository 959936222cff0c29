export type { CallOptions, Choice } from "./calls.js";
export { CircuitBreaker } from "./circuit.js";
export { CombinedHeaders } from "./combined.js";
export { CallId, EntryCost, EntryLimit, type EntryTotal, type EntryUsage, type Mode } from "./entries.js";
export {
  MaybeChargedError, MisconfiguredError, NoDecisionError, NotSentError, OverloadedError, PenstockError, classifyError, classify, provesNotRun,
  type FailureKind, type Meaning,
} from "./failures.js";
export { PROBLEM_TYPE, RateLimitHeaders, type HeaderForm, type RateLimitHeadersOptions } from "./http.js";
export { ioredis, type IoRedis } from "./ioredis.js";
export { RateLimiter, type CallOutcome, type RateLimiterOptions } from "./limiter.js";
export { nodeRedis, type NodeRedis } from "./node-redis.js";
export { PendingCall, wait } from "./pending.js";
export { Decision, Limit, decision, key, type DropIn, type Script } from "./protocol.js";
export { ReservationAnswer, ReservationPlan } from "./reservation-plan.js";
export {
  ConcurrencyLimiter, Reservation, Reservations, type EventKind, type ReservationEvent, type ReservationsOptions, type ReserveOptions,
  type SettleResult,
} from "./reservations.js";
export * from "./scripts.js";
export type { VerdictListener } from "./questions.js";
export type { Sender, SenderOptions } from "./sender.js";
export { parseLimit } from "./text.js";
export type { VerdictChange } from "./verdict.js";
