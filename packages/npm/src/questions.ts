// The check that is sent to a server, and its connections.
import { isReply, textOf } from "./failures.js";
import { PendingCall } from "./pending.js";
import type { Sender } from "./sender.js";
import { NodeVerdict, type LinkOpener, type QuestionLink, type VerdictChange } from "./verdict.js";

/** The check for one script: the parts of its peek command before and after the key. */
export interface QuestionForm {
  readonly begin: readonly string[];
  readonly end: readonly string[];
}

/** The command of a node's next check. */
export class NodeQuestion {
  #form: QuestionForm = { begin: [], end: [] };
  key = "";

  /** Makes the peek of this call the next check. */
  last(form: QuestionForm, key: string): void {
    this.#form = form;
    this.key = key;
  }

  words(): string[] {
    return [...this.#form.begin, this.key, ...this.#form.end];
  }
}

/** Receives each change of the verdict on a node. */
export type VerdictListener = (change: VerdictChange) => void;

/**
 * Opens connections for the check, and replaces the client's own connection; both by the name of a node, such as its address.
 */
export interface QuestionChannel {
  open(node: unknown, question: NodeQuestion, ...events: Parameters<LinkOpener>): QuestionLink | undefined;
  heal?(node: unknown): void;
}

/** A check in flight through node-redis; it reports when it has been written. */
export class QuestionCall extends PendingCall {
  constructor(private readonly onWritten: () => void) {
    super();
  }

  override removeEventListener(type: "abort", listener: () => void): void {
    super.removeEventListener(type, listener);
    this.onWritten();
  }
}

interface JudgedNode {
  readonly verdict: NodeVerdict;
  readonly question: NodeQuestion;
}

/** The verdicts on the nodes of a client, and the number of the client's calls in flight. */
export class NodeVerdicts {
  pending = 0;
  readonly listeners = new Set<VerdictListener>();
  readonly #nodes = new Map<unknown, JudgedNode>();

  constructor(private readonly channel: QuestionChannel) {}

  /** Returns the verdict on the node of a call. */
  of(name: unknown, form: QuestionForm, key: string): NodeVerdict {
    let node = this.#nodes.get(name);
    if (!node) {
      const question = new NodeQuestion();
      const open: LinkOpener = (...events) => this.channel.open(name, question, ...events);
      const verdict = new NodeVerdict(open, () => this.channel.heal?.(name), (change) => this.#changed(name, change));
      this.#nodes.set(name, (node = { verdict, question }));
    }
    node.question.last(form, key);
    return node.verdict;
  }

  close(): void {
    this.#nodes.forEach(({ verdict }) => verdict.close());
    this.#nodes.clear();
  }

  #changed(name: unknown, change: VerdictChange): void {
    const told = { ...change, ...(name !== undefined && { node: name }) };
    for (const listener of this.listeners) {
      try {
        listener(told);
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error));
      }
    }
    if (this.listeners.size === 0) process.emitWarning(textOfChange(told), { type: "PenstockWarning", code: "PENSTOCK_VERDICT" });
  }
}

function textOfChange({ verdict, node, lastedMs, error }: VerdictChange): string {
  const server = node === undefined ? "the server" : `the node ${node}`;
  if (verdict === "silent") return error === undefined ? `${server} does not answer` : `${server} does not answer: ${textOf(error)}`;
  if (verdict === "refused") return `${server} refuses connections: ${textOf(error)}`;
  if (error === undefined) return `${server} answers again, after ${Math.round(lastedMs)} ms`;
  return `${server} answers calls, but the connection that asks it is refused: ${textOf(error)}`;
}

const verdicts = new WeakMap<Sender, NodeVerdicts>();

export function verdictsOf(sender: Sender): NodeVerdicts {
  if (sender.verdicts) return sender.verdicts;
  let own = verdicts.get(sender);
  if (!own) verdicts.set(sender, (own = new NodeVerdicts(ownPath(sender))));
  return own;
}

/** Returns the channel that sends the check through the client itself, behind its calls. */
export function ownPath({ send }: Pick<Sender, "send">): QuestionChannel {
  return {
    open(_node, question, connected, ended) {
      let call: PendingCall | undefined;
      queueMicrotask(connected);
      return {
        ask(written, answered) {
          queueMicrotask(written);
          const failed = (error: unknown) => (isReply(error) ? answered(error) : ended(error, true));
          send(question.key, question.words(), (call = new PendingCall())).then(() => answered(), failed);
        },
        close: () => call?.giveUp(),
      };
    },
  };
}
