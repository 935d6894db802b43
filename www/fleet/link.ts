// Reads the link with which a tab joins a fleet:
// `SITE/fleet.html#server=WS&fleet=F&user=actor&key=K`. The password K stands behind the `#`, which browsers send to
// nobody. crates/fleet/src/wire/link.rs writes these links.

import { quoted } from "../core/values";

/** What the link says. */
export type FleetLink = {
  /** The address of the server's WebSocket listener, such as `wss://example.org:4280`. */
  server: string;
  /** The id of the fleet. */
  fleet: string;
  /** The password with which the tab logs in to the server. */
  key: string;
};

/** Hexadecimal digits of a fleet's id and of its password, as in crates/fleet/src/wire/link.rs. */
const FLEET_ID_DIGITS = 8;
const KEY_DIGITS = 32;
/** Characters of the longest link that is read: ten times those of a usual one. */
const MAX_LINK_LENGTH = 2000;
/** Hosts to which a page with TLS may connect without it: browsers and the page's own policy allow no others. */
const LOCAL_HOSTS = ["localhost", "127.0.0.1"];

/** Reads a link as people paste it, or its part behind the `#`. `problem` is a sentence. */
export function readFleetLink(text: string): FleetLink | { problem: string } {
  const trimmed = text.trim();
  if (trimmed === "") return { problem: "Paste the link of a fleet first." };
  if (trimmed.length > MAX_LINK_LENGTH) return { problem: "This is too long for the link of a fleet." };
  if (/^(nats|tls):\/\//.test(trimmed))
    return { problem: "This link is for a terminal. The one for browsers contains “fleet.html#server=”." };
  const hash = trimmed.indexOf("#");
  if (hash < 0 && trimmed.includes("://"))
    return { problem: "The link has nothing behind a “#”, where its password should be. Copy the whole link." };
  const values = new URLSearchParams(trimmed.slice(hash + 1));
  const server = readServer(values.get("server"));
  if (typeof server !== "string") return server;
  const [fleet, key] = [values.get("fleet") ?? "", values.get("key") ?? ""];
  if (!isHexadecimal(fleet, FLEET_ID_DIGITS)) return refuseDigits("fleet", FLEET_ID_DIGITS);
  if (!isHexadecimal(key, KEY_DIGITS)) return refuseDigits("key", KEY_DIGITS);
  // The user of the server, who decides what its connections may do.
  const user = values.get("user") ?? "";
  if (user === "watch")
    return { problem: "With this link a fleet can only be watched. Ask its host for the one that joins." };
  if (user !== "actor")
    return { problem: `The link should join as “actor”, not as ${quoted(user)}. Copy the whole link.` };
  return { server, fleet, key };
}

const isHexadecimal = (text: string, digits: number) => text.length === digits && /^[0-9a-f]+$/.test(text);

const refuseDigits = (name: string, digits: number) => ({
  problem: `“${name}” in the link should have ${digits} hexadecimal digits. Copy the whole link.`,
});

/** The address of a server, which has no path, query or login, in its usual form; or a problem. */
function readServer(text: string | null): string | { problem: string } {
  if (text === null) return { problem: "This is not the link of a fleet, which contains “fleet.html#server=”." };
  const refusal = { problem: `${quoted(text)} in the link is not the address of a server. Copy the whole link.` };
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return refusal;
  }
  const { protocol, hostname, host, pathname, search, hash, username, password } = url;
  const hasMore = pathname !== "/" || search || hash || username || password;
  if (!["ws:", "wss:"].includes(protocol) || hostname === "" || hasMore) return refusal;
  if (protocol === "ws:" && !LOCAL_HOSTS.includes(hostname))
    return {
      problem: `The server ${host} has no TLS, and browsers connect without it to their own machine only. Ask the fleet's host for a link with “wss”.`,
    };
  return `${protocol}//${host}`;
}
