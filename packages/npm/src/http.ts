// Decisions as HTTP's RateLimit fields and problem bodies; docs/http.md explains them.
import type { Decision, Limit } from "./protocol.js";

const FORMS = ["draft-11", "draft-07", "draft-06", "x-rate-limit"] as const;
const TYPES = "https://iana.org/assignments/http-problem-types#";

/** The media type of problem bodies. */
export const PROBLEM_TYPE = "application/problem+json";

/** A version of draft-ietf-httpapi-ratelimit-headers, or the common `X-RateLimit` fields. */
export type HeaderForm = (typeof FORMS)[number];

export interface RateLimitHeadersOptions {
  form?: HeaderForm;
  /** A different name for each tier, in printable ASCII; the default is `api-1`, `api-2` and so on. */
  names?: readonly string[];
  /** The unit, such as `content-bytes`, for limits that do not count requests; only for `draft-11`. */
  quotaUnit?: string;
}

/** Formats the decisions of one policy as header fields and, for denials, as problem bodies (RFC 9457). */
export class RateLimitHeaders {
  /** The name of each tier. */
  readonly names: readonly string[];
  readonly form: HeaderForm;
  readonly #quoted: readonly string[];
  readonly #unit: string;

  constructor(
    policy: string,
    readonly limit: Limit,
    { form = "draft-11", names, quotaUnit }: RateLimitHeadersOptions = {},
  ) {
    const tiers = limit.tiers.length;
    quoted("policy", policy);
    this.form = checkedForm(form);
    if (names && (names.length !== tiers || new Set(names).size < tiers)) {
      throw new RangeError(`names must be ${tiers} names that differ: ${names.join(", ")}`);
    }
    this.names = names ?? (tiers === 1 ? [policy] : limit.tiers.map((_, at) => `${policy}-${at + 1}`));
    this.#quoted = this.names.map((name) => quoted("names", name));
    this.#unit = quotaUnit === undefined ? "" : `;qu=${quoted("quotaUnit", quotaUnit)}`;
  }

  /** Returns the fields by name. The remaining units are omitted if the server did not make the decision. */
  fields(decision: Decision): Record<string, string> {
    const tier = this.#tier(decision);
    const more = Math.ceil(untilMore(this.limit, tier, decision) / 1_000_000);
    const { enforced, remaining } = decision;
    const fields: Record<string, string> = {};
    switch (this.form) {
      case "draft-11":
        fields["RateLimit-Policy"] = this.limit.tiers.map((each, at) => this.#quoted[at]! + this.#quota(each)).join(", ");
        if (enforced) fields["RateLimit"] = `${this.#quoted[decision.tier - 1]};r=${remaining}${more ? `;t=${more}` : ""}`;
        break;
      case "draft-07":
      case "draft-06":
        Object.assign(fields, this.#oldPolicy(), threeFigures(this.form, decision, more));
        break;
      case "x-rate-limit":
        Object.assign(fields, threeFigures(this.form, decision, Math.ceil(decision.resetUs / 1_000_000)));
    }
    return Object.assign(fields, retryAfter(decision));
  }

  /** Returns 429, or 503 if no decision could be made. */
  static status(denied: Decision): 429 | 503 {
    return denied.enforced ? 429 : 503;
  }

  /** Returns the body of the response to a denied call; its media type is `PROBLEM_TYPE`. */
  problem(denied: Decision, detail?: string): string {
    this.#tier(denied);
    if (denied.allowed) {
      throw new RangeError(`denied must be a denial: ${JSON.stringify(denied)}`);
    }
    return problemBody(denied.enforced, denied.enforced ? [this.names[denied.tier - 1]!] : [], detail);
  }

  #tier(decision: Decision): readonly number[] {
    const tier = this.limit.tiers[decision.tier - 1];
    if (tier?.[0] !== decision.limit) {
      throw new RangeError(`decision must be about ${this.limit.text}: ${JSON.stringify(decision)}`);
    }
    return tier;
  }

  #quota(tier: readonly number[]): string {
    const window = windowSeconds(this.limit, tier);
    return `;q=${tier[0]}${this.#unit}${window ? `;w=${window}` : ""}`;
  }

  /** In this draft a window is required, and a quota may occur only once. */
  #oldPolicy(): Record<string, string> {
    const windows = new Map<number, number>();
    for (const tier of this.limit.tiers) {
      const window = windowSeconds(this.limit, tier);
      if (window) windows.set(tier[0]!, Math.max(window, windows.get(tier[0]!) ?? 0));
    }
    const policies = [...windows].sort(([one], [other]) => one - other).map(([quota, window]) => `${quota};w=${window}`);
    return policies.length > 0 ? { "RateLimit-Policy": policies.join(", ") } : {};
  }
}

export function checkedForm(form: HeaderForm): HeaderForm {
  if (!FORMS.includes(form)) throw new RangeError(`form must be one of ${FORMS.join(", ")}: ${form}`);
  return form;
}

export function problemBody(exceeded: boolean, violated: readonly string[], detail: string | undefined): string {
  const body = {
    type: TYPES + (exceeded ? "quota-exceeded" : "temporary-reduced-capacity"),
    title: exceeded ? "Quota exceeded" : "Temporarily reduced capacity",
    status: exceeded ? 429 : 503,
    detail,
    "violated-policies": violated,
  };
  return JSON.stringify(body).replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function retryAfter({ allowed, retryAfterSeconds }: Decision): Record<string, string> {
  return allowed || retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
}

/** Returns the fields of a decision in the formats other than `draft-11`. */
export function threeFigures(form: HeaderForm, { enforced, limit, remaining }: Decision, reset: number): Record<string, string> {
  if (!enforced) return {};
  if (form === "draft-07") return { RateLimit: `limit=${limit}, remaining=${remaining}, reset=${reset}` };
  const prefix = form === "draft-06" ? "RateLimit" : "X-RateLimit";
  return { [`${prefix}-Limit`]: String(limit), [`${prefix}-Remaining`]: String(remaining), [`${prefix}-Reset`]: String(reset) };
}

/** Returns the time in which a tier refills completely, in seconds; 0 if it is not a whole number. */
function windowSeconds({ script }: Limit, tier: readonly number[]): number {
  const [capacity, each, period] = numbers(tier);
  const units = script.refill === "in_batches" && capacity < each ? capacity : each;
  const micros = units * 1_000_000n;
  return (capacity * period) % micros === 0n ? Number((capacity * period) / micros) : 0;
}

/** Returns an upper bound of the time in microseconds until more units are available than now; 0 if there cannot be more. */
function untilMore({ script }: Limit, tier: readonly number[], decision: Decision): number {
  const [capacity, units, period] = numbers(tier);
  const [missing, reset] = [capacity - BigInt(decision.remaining), BigInt(decision.resetUs)];
  if (missing < 1n || reset === 0n) return 0;
  let more = reset;
  if (script.refill === "evenly") {
    more = reset - ((missing - 1n) * period) / units;
  } else if (script.refill === "in_batches") {
    more = reset - ((missing - 1n) / units) * period;
  } else if (script.refill === "fading" && reset > period && (decision.allowed || decision.remaining > 0)) {
    // The units of the older window are unknown; if there are none, this is exact, otherwise the older
    // window fades earlier.
    more = reset - period + (period - 1n) / missing + 1n;
  }
  const waits = !decision.allowed && decision.waitUs >= 0;
  return Math.max(1, waits ? Math.min(Number(more), decision.waitUs) : Number(more));
}

function numbers(tier: readonly number[]): [bigint, bigint, bigint] {
  return [tier[0]!, tier.at(-2)!, tier.at(-1)!].map(BigInt) as [bigint, bigint, bigint];
}

/** Formats a string of structured fields (RFC 9651). */
export function quoted(name: string, text: string): string {
  if (!/^[ -~]+$/.test(text)) {
    throw new RangeError(`${name} must be printable ASCII of at least one character: "${text}"`);
  }
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
