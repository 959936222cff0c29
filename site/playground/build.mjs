// Builds the playground, one document that asks nothing of any host: node build.mjs DIRECTORY, after npm install.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import zlib from "node:zlib";

const esbuild = createRequire(import.meta.url)("esbuild");
const here = import.meta.dirname;
const gzip = (bytes) => zlib.gzipSync(bytes, { level: 9 });

const packed = {
  name: "packed",
  setup(build) {
    build.onLoad({ filter: /\.wasm$/ }, ({ path: file }) => ({ contents: gzip(fs.readFileSync(file)), loader: "base64" }));
    // Keys and receipts of the page are short and plain: nothing is hashed, and no id is random.
    build.onResolve({ filter: /^node:crypto$/ }, (found) => ({ path: found.path, namespace: "absent" }));
    build.onLoad({ filter: /.*/, namespace: "absent" }, () => ({ contents: "export const createHash = undefined, randomUUID = undefined;" }));
  },
};

const built = await esbuild.build({
  entryPoints: [path.join(here, "src/page.js")], bundle: true, minify: true, format: "iife", target: "es2023", charset: "utf8", plugins: [packed],
  write: false, legalComments: "none",
});
const script = built.outputFiles[0].text.replaceAll("</script", "<\\/script");
const page = fs.readFileSync(path.join(here, "page.html"), "utf8").replace("/*BUNDLE*/", () => script);
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const style = /<style>([^]*?)<\/style>/.exec(page)[1];
const policy = `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval'; style-src ${hash(style)}; img-src data: blob:; `
  + "connect-src 'none'; base-uri 'none'; form-action 'none'";
const whole = page.replace("<!--POLICY-->", () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`);
const [directory] = process.argv.slice(2);
fs.mkdirSync(directory, { recursive: true });
fs.writeFileSync(path.join(directory, "playground.html"), whole);
fs.copyFileSync(path.join(here, "embed.js"), path.join(directory, "embed.js"));
console.log(`playground.html: ${whole.length} bytes, ${gzip(whole).length} gzip`);
