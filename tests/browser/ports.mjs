// Free ports for programs that have to be told theirs.

import { createServer } from "node:net";
import process from "node:process";

// The ports lie below those that systems give to outgoing connections, of which browsers open many. Each lane has a
// range of its own.
const FIRST = 20_000;
const PER_LANE = 1000;

const lane = Number(process.env.TEST_PARALLEL_INDEX ?? 0);
let next = Math.floor(Math.random() * PER_LANE);

/** A port on which nothing listens. */
export async function freePort() {
  for (let tries = 0; tries < PER_LANE; tries++) {
    const port = FIRST + lane * PER_LANE + (next++ % PER_LANE);
    if (await isFree(port)) return port;
  }
  throw new Error("no port is free");
}

function isFree(port) {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
