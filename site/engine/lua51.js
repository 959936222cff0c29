// Redis' Lua 5.1 as WebAssembly. Texts are latin1: a character is a byte.
const RAISED = { lua: "error" };
// Arguments of one call that every browser takes.
const MOST_AT_ONCE = 8192;

/** Opens engine.wasm: `load(source)` gives a script, and `run(script, keys, args, server)` its reply; `server` answers its commands. */
export async function open(bytes) {
  let server, exports;
  // Node.js 20 crashes if it inlines calls of WebAssembly within one another: none is direct.
  const call = (name, ...args) => Reflect.apply(exports[name], null, args);
  // The memory gets another buffer when it grows.
  let [held, integers] = [new Uint8Array(), new DataView(new ArrayBuffer())];
  const memory = () => (held.buffer === exports.memory.buffer ? held : (held = new Uint8Array(exports.memory.buffer)));
  const view = () => (integers.buffer === exports.memory.buffer ? integers : (integers = new DataView(exports.memory.buffer)));
  const read = (at, length) => {
    let text = "";
    for (let end = at + length; at < end; at += MOST_AT_ONCE) {
      text += String.fromCharCode.apply(null, memory().subarray(at, Math.min(at + MOST_AT_ONCE, end)));
    }
    return text;
  };
  const put = (at, text) => {
    const bytes = memory();
    for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
    return at + text.length;
  };
  const putText = (text) => put(call("room", text.length + 1), text + "\0");
  const putAll = (texts) => {
    let at = call("room", texts.reduce((size, text) => size + 4 + text.length, 0));
    for (const text of texts) {
      view().setUint32(at, text.length, true);
      at = put(at + 4, text);
    }
  };
  const host = {
    fail() {
      throw RAISED;
    },
    attempt(f, L, ud) {
      const stack = exports.__stack_pointer.value;
      try {
        Reflect.apply(exports.__indirect_function_table.get(f), null, [L, ud]);
        return 0;
      } catch (error) {
        if (error !== RAISED) throw error;
        exports.__stack_pointer.value = stack;
        return 1;
      }
    },
    command(count) {
      let at = call("at");
      const args = [];
      for (let i = 0; i < count; i++) {
        const length = view().getUint32(at, true);
        args.push(read(at + 4, length));
        at += 4 + length;
      }
      putText(encode(server.command(args)));
    },
  };
  // Nothing of the system is there: each of its calls fails (EBADF).
  const wasi = new Proxy({}, { get: () => () => 8 });
  const { instance } = await WebAssembly.instantiate(bytes, { host, wasi_snapshot_preview1: wasi });
  exports = instance.exports;
  exports._initialize();
  exports.start();
  return {
    load(source) {
      putText(source);
      const script = exports.load(source.length);
      if (!script) throw new SyntaxError(read(call("at"), 500).split("\r\n")[0]);
      return script;
    },
    run(script, keys, args, answering) {
      server = answering;
      putAll([...keys, ...args]);
      return decode(read(call("at"), call("run", script, keys.length, args.length)));
    },
  };
}

// Replies pass through RESP2 in both directions, so that numbers are cut as a server cuts them.
function encode(reply) {
  if (reply === null) return "$-1\r\n";
  if (typeof reply === "string") return `$${reply.length}\r\n${reply}\r\n`;
  if (typeof reply === "number") return `:${reply}\r\n`;
  if (Array.isArray(reply)) return `*${reply.length}\r\n${reply.map(encode).join("")}`;
  return reply.err !== undefined ? `-${reply.err}\r\n` : `+${reply.ok}\r\n`;
}

/** The reply that a text of RESP2 holds. */
export function decode(resp) {
  let at = 0;
  const next = () => {
    const [kind, end] = [resp[at], resp.indexOf("\r\n", at)];
    const head = resp.slice(at + 1, end);
    at = end + 2;
    if (kind === "+") return { ok: head };
    if (kind === "-") return { err: head };
    const number = Number(head);
    if (kind === ":") return number;
    if (number < 0) return null;
    if (kind === "*") return Array.from({ length: number }, next);
    at += number + 2;
    return resp.slice(at - number - 2, at - 2);
  };
  return next();
}
