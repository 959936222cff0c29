// The decisions of several policies about one request as HTTP's RateLimit fields and problem bodies.
import type { EntryUsage } from "./entries.js";
import { RateLimitHeaders, checkedForm, problemBody, quoted, retryAfter, threeFigures, type HeaderForm } from "./http.js";
import { Decision } from "./protocol.js";
import type { ReservationAnswer } from "./reservation-plan.js";

const LISTS = ["RateLimit-Policy", "RateLimit"];

interface AnsweredPolicy {
  readonly form: HeaderForm;
  readonly decision: Decision;
  readonly names: readonly string[];
  readonly fields: Record<string, string>;
}

/**
 * Formats the decisions of several policies about one request as header fields, the strictest first, and as a problem body if one of them
 * is a denial.
 *
 * Denials come before all other decisions, starting with the longest wait. The other decisions follow in order of units remaining, starting
 * with the fewest; decisions that are not `enforced` come last. Ties keep their order. If two decisions have the same policy name, only the
 * stricter one is written. `draft-11` lists all policies; the other formats have room only for the strictest. `Retry-After` is the longest
 * wait; it is omitted if waiting does not help one of the denials.
 */
export class CombinedHeaders {
  readonly #policies: readonly AnsweredPolicy[];

  private constructor(policies: readonly AnsweredPolicy[]) {
    if (policies.length === 0 || policies.some(({ form }) => form !== policies[0]!.form)) {
      throw new RangeError(`answers must be at least one, and of one form: ${policies.map(({ form }) => form).join(", ")}`);
    }
    const taken = new Set<string>();
    this.#policies = [...policies].sort(stricter).filter(({ names }) => {
      const stands = !names.some((name) => taken.has(name));
      if (stands) names.forEach((name) => taken.add(name));
      return stands;
    });
  }

  /** Combines one or more pairs of a policy's headers and its decision; all headers must have the same format. */
  static of(...answers: readonly (readonly [RateLimitHeaders, Decision])[]): CombinedHeaders {
    return new CombinedHeaders(answers.map(([headers, decision]) => answered(headers, decision)));
  }

  /**
   * Creates the headers for all limits of a call. Held units count as used. A concurrency limit has the quota unit `concurrent-requests`
   * and no times, because a place can become free at any time.
   */
  static ofReservation(answer: ReservationAnswer, { form = "draft-11" }: { form?: HeaderForm } = {}): CombinedHeaders {
    checkedForm(form);
    const decisions = decisionsOf(answer);
    return new CombinedHeaders(answer.usages.map((usage, at) => ofEntry(answer, decisions[at]!, usage, form)));
  }

  /** Returns the fields by name, in the order in which to write them. */
  fields(): Record<string, string> {
    const [strictest] = this.#policies as [AnsweredPolicy];
    if (strictest.form !== "draft-11") return { ...strictest.fields };
    const fields: Record<string, string> = {};
    for (const name of LISTS) {
      const all = this.#policies.flatMap((policy) => policy.fields[name] ?? []);
      if (all.length > 0) fields[name] = all.join(", ");
    }
    for (const [name, text] of Object.entries(strictest.fields)) fields[name] ??= text;
    return fields;
  }

  /** The status of the response if a policy denies the request: 429, or 503 if the server made none of the decisions. */
  get status(): 429 | 503 {
    return this.#denials().some(({ decision }) => decision.enforced) ? 429 : 503;
  }

  /**
   * Returns the body, in ASCII, of the response if a policy denies the request. It names all policies that are known to deny it, the
   * strictest first.
   */
  problem(detail?: string): string {
    const exceeded = this.#denials().filter(({ decision }) => decision.enforced);
    return problemBody(exceeded.length > 0, exceeded.map(({ names, decision }) => names[decision.tier - 1]!), detail);
  }

  #denials(): readonly AnsweredPolicy[] {
    const denials = this.#policies.filter(({ decision }) => !decision.allowed);
    if (denials.length === 0) throw new RangeError(`a policy must deny: ${JSON.stringify(this.fields())}`);
    return denials;
  }
}

function stricter({ decision: one }: AnsweredPolicy, { decision: other }: AnsweredPolicy): number {
  const order = [Number(one.allowed) - Number(other.allowed), waitOf(other) - waitOf(one), Number(other.enforced) - Number(one.enforced)];
  return order.find((difference) => difference !== 0) ?? one.remaining - other.remaining;
}

function waitOf({ allowed, waitUs }: Decision): number {
  return allowed ? 0 : waitUs < 0 ? Number.MAX_VALUE : waitUs;
}

function answered(headers: RateLimitHeaders, decision: Decision): AnsweredPolicy {
  return { form: headers.form, decision, names: headers.names, fields: headers.fields(decision) };
}

/**
 * Returns the decision under each limit of a call. After a denial, only the limit with the longest wait is known to deny; for an undecided
 * call, all limits deny.
 */
export function decisionsOf(answer: ReservationAnswer): Decision[] {
  return answer.usages.map(({ limit, remaining, resetUs, tier }, at) => {
    const denies = !answer.allowed && (at === answer.denying || !answer.enforced);
    return new Decision(Number(!denies), limit, remaining, denies ? answer.waitUs : 0, resetUs, tier, answer.enforced);
  });
}

function ofEntry(answer: ReservationAnswer, decision: Decision, usage: EntryUsage, form: HeaderForm): AnsweredPolicy {
  const { limit, remaining, resetUs, entry } = usage;
  const { policy, limit: rate } = entry.limit;
  if (rate) return answered(new RateLimitHeaders(policy, rate, { form }), decision);
  const fields: Record<string, string> = {};
  if (form === "draft-11") {
    fields["RateLimit-Policy"] = `${quoted("policy", policy)};q=${limit};qu="concurrent-requests"`;
    if (answer.enforced) fields["RateLimit"] = `${quoted("policy", policy)};r=${remaining}`;
  } else {
    Object.assign(fields, threeFigures(form, decision, Math.ceil(resetUs / 1_000_000)));
  }
  return { form, decision, names: [policy], fields: { ...fields, ...retryAfter(decision) } };
}
