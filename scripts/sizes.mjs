// `node scripts/sizes.mjs FILE...`: prints the size of each file, raw and compressed as a server would send it.

import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** A column of the table: ten characters wide. */
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(10);

/** The sizes of a file's content in bytes: raw, and as compressed by gzip and by Brotli at their highest levels. */
export function sizes(bytes) {
  const options = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return {
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes, { params: options }).length,
  };
}

if (process.argv[1]?.endsWith("sizes.mjs")) {
  console.log(`${"".padEnd(52)}${"raw".padStart(10)}${"gzip".padStart(10)}${"brotli".padStart(10)}`);
  for (const file of process.argv.slice(2)) {
    const { raw, gzip, brotli } = sizes(readFileSync(file));
    console.log(relative(".", file).padEnd(52) + [raw, gzip, brotli].map(kilobytes).join(""));
  }
}
