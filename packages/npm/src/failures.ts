// The meaning of a failure, by the rules of errors.json (ADR 14 of Penstock), and the errors that a limiter throws.
import { ERROR_RULES } from "./scripts.js";

/** The class of a failure. The first three classes are outages. */
export type FailureKind = "not_sent" | "not_answered" | "unavailable" | "misconfigured" | "overloaded" | "unknown";

/**
 * The classification of an error text. `redirect` means NOSCRIPT, MOVED or ASK. `charged` is false if it is certain that nothing was
 * charged.
 */
export interface Meaning {
  readonly kind: FailureKind | "redirect";
  readonly charged: boolean;
  /** The prefix of the text by which it was classified, if the prefix is in the list of rules. */
  readonly rule?: string;
  /** The text of the cause that determined the classification. */
  readonly text?: string;
}

const UNKNOWN: Meaning = { kind: "unknown", charged: true };
/** The classification of a call that was sent and then abandoned. */
export const LOST: Meaning = { kind: "not_answered", charged: true };
const UNSENT: Meaning = { kind: "not_sent", charged: false };
// The text that Redis 6 adds around an error that is raised inside a script.
const AROUND = /^(?:ERR )?Error running script \(call to f_[0-9A-Za-z]*\): @user_script:\d+: (?:@user_script: \d+: )?-?/;
// Codes of Node.js for certificates, and for an invalid port.
const WRONG = new RegExp(
  "^(ERR_SSL_|ERR_TLS_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERROR_IN_C|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_|HOSTNAME_MISMATCH$" +
    "|ERR_SOCKET_BAD_PORT$|ERR_INVALID_ARG_)",
);

/** Classifies an error text of the server or of a client. */
export function classify(text: string): Meaning {
  const bare = text.replace(AROUND, "");
  const rule = ERROR_RULES.find((rule) => begins(bare, rule.text) || (rule.text.startsWith("ERR ") && begins(bare, rule.text.slice(4))));
  return rule ? { kind: rule.class as Meaning["kind"], charged: rule.charged, rule: rule.text, text } : UNKNOWN;
}

function begins(text: string, word: string): boolean {
  return text.startsWith(word) && !/[A-Za-z0-9]/.test(text.charAt(word.length));
}

/** Classifies a client's error by all its causes, because a configuration error is often the innermost cause. */
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

/** Returns an error and its chain of causes, the outermost first. */
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

/** Returns whether nothing listens at the address of a connection. */
export function isUnreachable(error: unknown): boolean {
  return causes(error).some((each) => {
    const { code, syscall } = Object(each) as NodeJS.ErrnoException;
    return code === "ECONNREFUSED" || (code === "ENOENT" && syscall === "connect");
  });
}

/** Returns whether the server refused a connection because of a configuration error, or with an unknown reply. */
export function isRefusal(error: unknown): boolean {
  const { kind } = classifyError(error);
  return kind === "misconfigured" || (kind === "unknown" && causes(error).some(isReply));
}

/** Returns whether an error is a reply of the server, by the names that the clients give to such errors. */
export function isReply(error: unknown): boolean {
  for (let type = error; type instanceof Error; type = Object.getPrototypeOf(type)) {
    if (/^(ErrorReply|ReplyError)$/.test(type.constructor.name)) return true;
  }
  return false;
}

/** Returns whether an error, or an error text of the server, proves that the call was not charged. */
export function provesNotRun(error: unknown): boolean {
  return !classifyError(error).charged;
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Thrown if a call failed without a decision. This class itself is used only for unknown failures. `cause` is the client's own error. */
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

/** Thrown in an outage, in which the call was not sent or not answered, or the server cannot serve calls now. */
export class NoDecisionError extends PenstockError {
  override name = "NoDecisionError";
}

/** Thrown in an outage in which the call was never sent, so nothing was charged. */
export class NotSentError extends NoDecisionError {
  override name = "NotSentError";

  constructor(why: string, options?: ErrorOptions) {
    super(`the call was not sent, so nothing was charged: ${why}`, "not_sent", false, options);
  }
}

/** Thrown in an outage in which the call was sent but not answered. The call may or may not have been charged. */
export class MaybeChargedError extends NoDecisionError {
  override name = "MaybeChargedError";

  constructor(cause: unknown) {
    super(`no answer tells whether the call ran, so it may have been charged: ${textOf(cause)}`, "not_answered", true, { cause });
  }
}

/**
 * Thrown if the configuration is wrong: credentials, certificate, database, kind of deployment, permissions or a key's type. Nothing was
 * charged, unless `maybeCharged` says that an earlier attempt of a call with an id may have been charged.
 */
export class MisconfiguredError extends PenstockError {
  override name = "MisconfiguredError";

  constructor(
    readonly why: string,
    options?: ErrorOptions,
    maybeCharged = false,
  ) {
    super(`the configuration is wrong, and ${chargedOrNot(maybeCharged)}: ${why}`, "misconfigured", maybeCharged, options);
  }
}

/**
 * Thrown if a resource of the client is exhausted or the server is out of memory, or if a call was cancelled or was late although the
 * server answers. `maybeCharged` is whether the call may have been charged. It is false if a resource or the memory is exhausted, unless an
 * earlier attempt with the same id was not answered.
 */
export class OverloadedError extends PenstockError {
  override name = "OverloadedError";

  constructor(
    readonly why: string,
    options?: ErrorOptions,
    maybeCharged = false,
    /** Whether the server is known to answer; false for a call that ended before there was a verdict on the server. */
    readonly serverAnswers = true,
  ) {
    super(`overloaded, and ${chargedOrNot(maybeCharged)}: ${why}`, "overloaded", maybeCharged, options);
  }
}

function chargedOrNot(maybe: boolean): string {
  return maybe ? "the call may have been charged" : "nothing was charged";
}

/** Returns the error of a call whose earlier attempt with the same id was not answered. */
export function afterLostAnswer(error: unknown): unknown {
  if (error instanceof OverloadedError) return new OverloadedError(error.why, { cause: error.cause }, true, error.serverAnswers);
  return error instanceof MisconfiguredError ? new MisconfiguredError(error.why, { cause: error.cause }, true) : error;
}

/** Returns the error for a client that stopped reconnecting or was closed by the program, which is not an outage. */
export function closedError(cause: unknown): PenstockError {
  return new (cause === undefined ? MisconfiguredError : NotSentError)("the client is closed", { cause });
}

/** Returns the error with which a call ends. `written` is whether the client has sent the call; `charges` is false for a peek. */
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
  return new PenstockError(`unknown failure${maybe ? ", and the call may have been charged" : ""}: ${text}`, "unknown", maybe, options);
}
