// The secret of a tab, by which a fleet's host knows it again: a tab that is opened anew keeps the trust that its
// results have earned. Two tabs must not have the same, so each holds a lock on its own. Every fleet gets another
// secret, so that their hosts cannot tell that it is the same tab.

const STORAGE_KEY = "learnery:fleet-token";
const TOKEN_BYTES = 16;
/** A stored secret: two hexadecimal digits for each of its bytes. */
const STORED_PATTERN = /^[0-9a-f]{32}$/;
/** At most this many tabs of a browser have a secret that is stored. */
const MAX_TABS = 8;

let secret: Promise<Uint8Array> | undefined;

/** The secret of this tab for a fleet, which is held until the page is closed. */
export async function tabToken(fleet: string): Promise<Uint8Array> {
  const own = await (secret ??= findSecret());
  // On pages without HTTPS there is no digest, and the secret is new every time.
  if (!globalThis.isSecureContext) return own;
  const both = new Uint8Array([...own, ...new TextEncoder().encode(fleet)]);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", both)).slice(0, TOKEN_BYTES);
}

async function findSecret(): Promise<Uint8Array> {
  for (let tab = 0; tab < MAX_TABS; tab++)
    if (await holdLock(`${STORAGE_KEY}-${tab}`)) return storedSecret(`${STORAGE_KEY}-${tab}`);
  return randomSecret();
}

const randomSecret = () => crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));

/** Holds a lock until the page is closed. False if another tab has it, or if locks are forbidden. */
function holdLock(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    if (!navigator.locks) return resolve(false);
    const hold = (lock: Lock | null) => {
      resolve(lock !== null);
      return lock ? new Promise<never>(() => {}) : undefined;
    };
    navigator.locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(false));
  });
}

/** The secret that is stored under a key, or a new one. */
function storedSecret(key: string): Uint8Array {
  try {
    // The last match cuts the digits into pairs.
    const pairs = (localStorage.getItem(key) ?? "").match(STORED_PATTERN)?.[0].match(/../g);
    if (pairs) return Uint8Array.from(pairs, (digits) => parseInt(digits, 16));
    const made = randomSecret();
    localStorage.setItem(key, [...made].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
    return made;
  } catch {
    return randomSecret(); // Storage may be forbidden.
  }
}
