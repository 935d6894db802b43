// `node scripts/sizes.mjs [--brotli] FILE...`: prints the size of each file, raw and compressed as a server would send
// it. Brotli is computed on request only, because its highest level takes seconds for a bundle.

import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** A column of the table: ten characters wide. */
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(10);

/** The size of a file's content in bytes, compressed by gzip at its highest level. */
export function gzipSize(bytes) {
  return gzipSync(bytes, { level: 9 }).length;
}

/** The size compressed by Brotli. */
function brotliSize(bytes) {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length;
}

if (process.argv[1]?.endsWith("sizes.mjs")) {
  const columns = [
    ["raw", (bytes) => bytes.length],
    ["gzip", gzipSize],
  ];
  if (process.argv.includes("--brotli")) columns.push(["brotli", brotliSize]);
  console.log("".padEnd(52) + columns.map(([title]) => title.padStart(10)).join(""));
  for (const file of process.argv.slice(2).filter((argument) => argument !== "--brotli")) {
    const bytes = readFileSync(file);
    console.log(relative(".", file).padEnd(52) + columns.map(([, size]) => kilobytes(size(bytes))).join(""));
  }
}
