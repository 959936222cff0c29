// Large batches: a part is sent after the previous part has ended, with one deadline for all.
import { Deadlines } from "./deadlines.js";

// At most this many calls of a batch are in flight to one server at a time, because all calls of a process share the connection and the
// event loop: 10,000 at once would delay other calls by 300 ms instead of 30 ms.
const MOST = 1_000;

/** The position of a call in a large batch. */
export interface BatchPart {
  readonly deadlines: Deadlines;
  readonly due: number;
}

/**
 * Runs all calls of a batch within `ms`. `servers` contains the server of each call; `call` receives an index, and a part if the batch is
 * large.
 */
export async function inParts<T>(
  servers: readonly unknown[],
  ms: number,
  call: (at: number, part?: BatchPart) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  if (servers.length <= MOST) return Promise.allSettled(servers.map((_, at) => call(at)));
  const part = { deadlines: new Deadlines(ms), due: performance.now() + ms };
  const outcomes = new Array<PromiseSettledResult<T>>(servers.length);
  const places = new Map<unknown, number[]>();
  servers.forEach((server, at) => places.get(server)?.push(at) ?? places.set(server, [at]));
  const toOne = async (those: number[]) => {
    for (let begin = 0; begin < those.length; begin += MOST) {
      const sent = those.slice(begin, begin + MOST);
      (await Promise.allSettled(sent.map((at) => call(at, part)))).forEach((outcome, index) => (outcomes[sent[index]!] = outcome));
    }
  };
  await Promise.all(Array.from(places.values(), toOne));
  return outcomes;
}
