// The keys of a server, as far as scripts use them, and a clock that the caller sets. Texts are latin1: a character is a byte.
const INTEGER = /^(0|-?[1-9]\d*)$/;
const NOT_INTEGER = "ERR value is not an integer or out of range";

class ReplyError extends Error {}

export class Keys {
  /** The time in microseconds. */
  now = 0;
  /** A key's value, a text unless it is of another type, and its expiry in milliseconds or null. */
  map = new Map();
  /** The keys that were written or deleted; the caller clears it. */
  written = new Set();

  /** The reply to a command: a text, a number, null, `{ok}`, `{err}` or a list. */
  command([name, ...args]) {
    try {
      if (!Object.hasOwn(COMMANDS, name)) throw new ReplyError(`ERR unknown command '${name}'`);
      return COMMANDS[name](this, ...args);
    } catch (error) {
      if (error instanceof ReplyError) return { err: error.message };
      throw error;
    }
  }

  get ms() {
    return Math.floor(this.now / 1000);
  }

  /** The entry of a key, unless it has expired: after its last millisecond, as in a server. */
  live(key) {
    const entry = this.map.get(key);
    if (!entry || entry.until === null || entry.until >= this.ms) return entry;
    this.map.delete(key);
  }

  text(key) {
    const entry = this.live(key);
    if (!entry || typeof entry.value === "string") return entry;
    throw new ReplyError("WRONGTYPE Operation against a key holding the wrong kind of value");
  }

  /** Stores a value until a time in milliseconds, or for good if it is null. */
  set(key, value, until) {
    this.written.add(key);
    this.map.set(key, { value, until });
    return { ok: "OK" };
  }

  /** What PTTL answers. */
  ttl(key) {
    const entry = this.live(key);
    return !entry ? -2 : entry.until === null ? -1 : entry.until - this.ms;
  }

  add(key, by) {
    const { value, until } = this.text(key) ?? { value: "0", until: null };
    const before = BigInt(INTEGER.test(value) ? value : 2n ** 63n);
    if (BigInt.asIntN(64, before) !== before) throw new ReplyError(NOT_INTEGER);
    const after = before + by;
    if (BigInt.asIntN(64, after) !== after) throw new ReplyError("ERR increment or decrement would overflow");
    this.set(key, String(after), until);
    return Number(after);
  }
}

const COMMANDS = {
  TIME: (server) => [String(Math.floor(server.now / 1e6)), String(server.now % 1e6)],
  GET: (server, key) => server.text(key)?.value ?? null,
  SET: (server, key, value, option, ms) => {
    const until = option === "KEEPTTL" ? (server.live(key)?.until ?? null) : option === "PX" ? server.ms + positive(ms) : null;
    return server.set(key, value, until);
  },
  SETEX: (server, key, seconds, value) => server.set(key, value, server.ms + positive(seconds) * 1000),
  DEL: (server, key) => {
    if (!server.live(key)) return 0;
    server.written.add(key);
    server.map.delete(key);
    return 1;
  },
  INCR: (server, key) => server.add(key, 1n),
  DECR: (server, key) => server.add(key, -1n),
  TTL: (server, key) => {
    const ms = server.ttl(key);
    return ms < 0 ? ms : Math.floor((ms + 500) / 1000);
  },
  EXPIRE: (server, key, seconds) => {
    const entry = server.live(key);
    if (!entry) return 0;
    server.written.add(key);
    entry.until = server.ms + positive(seconds) * 1000;
    return 1;
  },
};

function positive(text) {
  if (INTEGER.test(text) && Number(text) > 0) return Number(text);
  throw new ReplyError(NOT_INTEGER);
}
