// The meaning of a failure, by the rules of errors.json (ADR 14 of Penstock), and the errors that a limiter throws.
import { ERROR_RULES } from "./scripts.js";

/** The first three are outages. */
export type FailureKind = "not_sent" | "not_answered" | "unavailable" | "misconfigured" | "overloaded" | "unknown";

/** The meaning of a text; `redirect` is NOSCRIPT, MOVED or ASK. `charged` is false if certainly nothing was charged. */
export interface Meaning {
  readonly kind: FailureKind | "redirect";
  readonly charged: boolean;
  /** The matching prefix of the text, if it is in the list. */
  readonly rule?: string;
  /** The text of the deciding cause. */
  readonly text?: string;
}

const UNKNOWN: Meaning = { kind: "unknown", charged: true };
/** A call that was sent and has been abandoned. */
export const LOST: Meaning = { kind: "not_answered", charged: true };
const UNSENT: Meaning = { kind: "not_sent", charged: false };
// The text that Redis 6 adds around an error that is raised inside a script.
const AROUND = /^(?:ERR )?Error running script \(call to f_[0-9A-Za-z]*\): @user_script:\d+: (?:@user_script: \d+: )?-?/;
// Codes of Node.js for certificates, and for an invalid port.
const WRONG = new RegExp(
  "^(ERR_SSL_|ERR_TLS_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERROR_IN_C|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_|HOSTNAME_MISMATCH$" +
    "|ERR_SOCKET_BAD_PORT$|ERR_INVALID_ARG_)",
);

/** The meaning of a text of the server, or of one of the clients. */
export function classify(text: string): Meaning {
  const bare = text.replace(AROUND, "");
  const rule = ERROR_RULES.find((rule) => begins(bare, rule.text) || (rule.text.startsWith("ERR ") && begins(bare, rule.text.slice(4))));
  return rule ? { kind: rule.class as Meaning["kind"], charged: rule.charged, rule: rule.text, text } : UNKNOWN;
}

function begins(text: string, word: string): boolean {
  return text.startsWith(word) && !/[A-Za-z0-9]/.test(text.charAt(word.length));
}

/** The meaning of a client's error, from all its causes: a configuration error is often the innermost. */
export function classifyError(error: unknown): Meaning {
  if (error instanceof PenstockError) return { kind: error.kind, charged: error.maybeCharged };
  const meanings = causes(error).map((each) => byType(each) ?? classify(textOf(each)));
  return meanings.find(({ kind }) => kind === "misconfigured") ?? meanings.find(({ kind }) => kind !== "unknown") ?? UNKNOWN;
}

function byType(error: unknown): Meaning | undefined {
  const { code, syscall } = Object(error) as NodeJS.ErrnoException;
  if (WRONG.test(String(code))) return { kind: "misconfigured", charged: false, text: textOf(error) };
  if (syscall === undefined) return undefined;
  const connecting = syscall === "connect" || syscall.startsWith("getaddrinfo");
  return connecting ? UNSENT : LOST;
}

/** An error, its causes and theirs, the outermost first. */
function causes(error: unknown): unknown[] {
  const found = new Set([error]);
  for (const each of found) {
    // The clients' own names of a cause.
    const { cause, errors = [], lastNodeError, originalError, socketError } = Object(each);
    for (const inner of [cause, ...errors, lastNodeError, originalError, socketError]) {
      if (inner instanceof Error) found.add(inner);
    }
  }
  return [...found];
}

/** Whether an error is the server's refusal of a connection: a configuration error, or an unknown reply. */
export function isRefusal(error: unknown): boolean {
  const { kind } = classifyError(error);
  return kind === "misconfigured" || (kind === "unknown" && causes(error).some(isReply));
}

/** The clients' own names of the server's errors. */
export function isReply(error: unknown): boolean {
  for (let type = error; type instanceof Error; type = Object.getPrototypeOf(type)) {
    if (/^(ErrorReply|ReplyError)$/.test(type.constructor.name)) return true;
  }
  return false;
}

/** Whether an error, or the server's text, proves that the call was not charged. */
export function provesNotRun(error: unknown): boolean {
  return !classifyError(error).charged;
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A call without a decision. Only unknown failures have this class itself; `cause` is the client's error. */
export class PenstockError extends Error {
  override name = "PenstockError";

  constructor(
    message: string,
    readonly kind: FailureKind,
    readonly maybeCharged: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** An outage: the call was not sent, not answered, or the server cannot serve now. */
export class NoDecisionError extends PenstockError {
  override name = "NoDecisionError";
}

/** The call was never sent, so nothing was charged. */
export class NotSentError extends NoDecisionError {
  override name = "NotSentError";

  constructor(why: string, options?: ErrorOptions) {
    super(`the call was not sent, so nothing was charged: ${why}`, "not_sent", false, options);
  }
}

/** It is unknown whether the call ran, so it may or may not have been charged. */
export class MaybeChargedError extends NoDecisionError {
  override name = "MaybeChargedError";

  constructor(cause: unknown) {
    super(`no answer tells whether the call ran, so it may have been charged: ${textOf(cause)}`, "not_answered", true, { cause });
  }
}

/**
 * Credentials, certificate, database, deployment, permissions or a key's type are wrong. Nothing was charged, unless `maybeCharged`
 * indicates that an earlier attempt of a call with an id may have been.
 */
export class MisconfiguredError extends PenstockError {
  override name = "MisconfiguredError";

  constructor(
    readonly why: string,
    options?: ErrorOptions,
    maybeCharged = false,
  ) {
    super(`something is set up wrong, and ${chargedOrNot(maybeCharged)}: ${why}`, "misconfigured", maybeCharged, options);
  }
}

/**
 * The client's own bound or the server's memory is full, and nothing was charged; or a call is late while the server answers, or was
 * cancelled, or an earlier attempt of a call with an id had no answer: `maybeCharged` is whether it may have been charged.
 */
export class OverloadedError extends PenstockError {
  override name = "OverloadedError";

  constructor(
    readonly why: string,
    options?: ErrorOptions,
    maybeCharged = false,
    /** Whether the server is known to answer; false for a call that ended before a verdict on it. */
    readonly serverAnswers = true,
  ) {
    super(`overloaded, and ${chargedOrNot(maybeCharged)}: ${why}`, "overloaded", maybeCharged, options);
  }
}

function chargedOrNot(maybe: boolean): string {
  return maybe ? "the call may have been charged" : "nothing was charged";
}

/** The error of a call with an id of which an earlier attempt had no answer. */
export function afterLostAnswer(error: unknown): unknown {
  if (error instanceof OverloadedError) return new OverloadedError(error.why, { cause: error.cause }, true, error.serverAnswers);
  return error instanceof MisconfiguredError ? new MisconfiguredError(error.why, { cause: error.cause }, true) : error;
}

/** A closed client: it stopped reconnecting, or the program has closed it, which is not an outage. */
export function closedError(cause: unknown): PenstockError {
  return new (cause === undefined ? MisconfiguredError : NotSentError)("the client is closed", { cause });
}

/** The error that a call ends with. `written`: the client has sent it; `charges`: it is not a peek. */
export function thrown(cause: unknown, written: boolean, charges: boolean, meaning = classifyError(cause)): PenstockError {
  if (cause instanceof PenstockError) return cause;
  const { kind, charged, text: inner = "" } = meaning;
  const [outer, options, maybe] = [textOf(cause), { cause }, charged && written && charges];
  const text = outer.includes(inner) ? outer : `${outer} ${inner}`;
  switch (kind) {
    case "not_sent":
      return new NotSentError(text, options);
    case "not_answered":
      if (!written) return new NotSentError(text, options);
      return maybe ? new MaybeChargedError(cause) : new NoDecisionError(`no answer came: ${text}`, kind, false, options);
    case "unavailable":
      return new NoDecisionError(`the server cannot serve now, and nothing was charged: ${text}`, kind, false, options);
    case "redirect":
      return new MisconfiguredError(`${text}: a cluster needs the client's cluster class`, options);
    case "overloaded":
      return new OverloadedError(text, options);
    case "misconfigured":
      if (!maybe) return new MisconfiguredError(text, options);
  }
  return new PenstockError(`this failure is in no list${maybe ? ", and the call may have been charged" : ""}: ${text}`, "unknown", maybe, options);
}
