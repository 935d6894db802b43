// A static file server on a free port for tests and scripts. It can send the headers for cross-origin isolation, which
// threads require, and can serve at the root or in a folder (`base`).

import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { setTimeout as pass } from "node:timers/promises";
import { gzipSync } from "node:zlib";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** Pieces in which a slow line carries what is sent, in bytes. Files that are sent at the same time take turns. */
const PIECE_BYTES = 2048;

/** A line that carries this many bytes in a second, all files that are sent at the same time together. */
function slowLine(bytesPerSecond) {
  let last = Promise.resolve();
  const carry = (piece) => (last = last.then(() => pass((1000 * piece.length) / bytesPerSecond)));
  return async (response, content) => {
    for (let at = 0; at < content.length && !response.destroyed; at += PIECE_BYTES) {
      const piece = content.subarray(at, at + PIECE_BYTES);
      await carry(piece);
      response.write(piece);
    }
    response.end();
  };
}

/**
 * Serves a folder under the path `base`, which ends with a slash. `replace` may answer a path within the folder with
 * something else: it returns the content to send, whose type is that of the name; or null, for a file that is missing;
 * or undefined, and the file is sent. With `bytesPerSecond` the line is slow, and files are sent compressed, as most
 * hosts do. Returns the address, a list of the files sent so far, a switch `down`, and a function that stops the
 * server. While `down` is true, connections are cut without an answer.
 */
export async function serve(folder, { isolation, base, replace, bytesPerSecond }) {
  const sent = [];
  const sendSlowly = bytesPerSecond && slowLine(bytesPerSecond);
  const server = createServer((request, response) => {
    if (served.down) return void request.socket.destroy();
    const { pathname } = new URL(request.url, "http://localhost");
    // The path within the folder. A path outside of `base` becomes "/..", which is refused below.
    const inside = pathname.startsWith(base) ? normalize(decodeURIComponent(pathname.slice(base.length - 1))) : "/..";
    let file = join(folder, inside);
    if (!inside.startsWith("/..") && existsSync(file) && statSync(file).isDirectory()) file = join(file, "index.html");
    const replaced = replace?.(inside);
    if (inside.startsWith("/..") || replaced === null || (replaced === undefined && !existsSync(file))) {
      response.writeHead(404).end("not found");
      return;
    }
    response.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream");
    const packed = sendSlowly && gzipSync(replaced ?? readFileSync(file));
    const size = () => (replaced === undefined ? statSync(file).size : Buffer.byteLength(replaced));
    response.setHeader("content-length", packed?.length ?? size());
    if (packed) response.setHeader("content-encoding", "gzip");
    // Files are cached as on GitHub Pages, so that one that several workers import is sent once.
    response.setHeader("cache-control", "max-age=600");
    if (isolation) {
      response.setHeader("cross-origin-opener-policy", "same-origin");
      response.setHeader("cross-origin-embedder-policy", "require-corp");
    }
    sent.push(file);
    if (request.method === "HEAD") response.end();
    else if (packed) void sendSlowly(response, packed);
    else if (replaced === undefined)
      createReadStream(file)
        // A test may replace the site while a file is read.
        .on("error", () => response.destroy())
        .pipe(response);
    else response.end(replaced);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const served = {
    sent,
    down: false,
    address: `http://localhost:${server.address().port}${base}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
  return served;
}
