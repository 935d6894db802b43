// A world in a link: `#/control?show=world.…`, where the dots are the text, compressed (raw deflate, RFC 1951) and in
// base64 with the alphabet for addresses (RFC 4648, section 5).

/** What such a part of a link begins with. */
export const WORLD_PREFIX = "world.";
/** Characters of a packed text. Longer links are cut by some programs. */
export const MAX_PACKED = 8_000;
/** Bytes of a text; the language has the same limit. A short link could hold a text of many megabytes. */
export const MAX_TEXT_BYTES = 65_536;

/** A text as a part of a link; null if it is too long for one. */
export async function packText(text: string): Promise<string | null> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const packed = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return packed.length <= MAX_PACKED ? packed : null;
}

/** The text of a part of a link, or null if it is damaged or too long. */
export async function unpackText(packed: string): Promise<string | null> {
  if (packed.length > MAX_PACKED || !/^[\w-]+$/.test(packed)) return null;
  try {
    const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let text = "";
    for (let size = 0; ;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.byteLength;
      if (size > MAX_TEXT_BYTES) {
        void reader.cancel();
        return null;
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return null;
  }
}

/** The link of a packed text, as the hash of an address. */
export const worldLink = (packed: string): string => `#/control?show=${WORLD_PREFIX}${packed}`;
