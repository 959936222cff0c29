// The vectors that all languages replay; what replays them needs no server.
import { appendFileSync, readFileSync } from "node:fs";

/** A module of the package that is not exported. */
export const inside = (file) => import(new URL(file, import.meta.resolve("penstock-redis")));

/** The cases of a file of vectors. Each is reported when the loop over them asks for the next. */
export function* vectors(file, cases, meant = () => true) {
  const listed = JSON.parse(readFileSync(`${process.env.PENSTOCK_VECTORS}/${file}.json`, "utf8"))[cases];
  for (const [at, each] of listed.entries()) {
    if (!meant(each)) continue;
    yield each;
    if (process.env.PENSTOCK_REPLAYED) appendFileSync(process.env.PENSTOCK_REPLAYED, `${file}.${cases}:${at}\n`);
  }
}
