// Codes of a class as a forger writes them, and as a camera reads them, and a lesson. A code is what a pupil hands in without a server: "LC1.checksum.content" of
// a run, "LL1.…" of a lesson, whose content is packed JSON (www/class/code-text.ts).

import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import jsQR from "jsqr";

/** A code with other content and the checksum that belongs to it. `change` edits the content in place. */
export function forged(code, change) {
  const [prefix, , content] = code.split(".");
  const body = JSON.parse(inflateRawSync(Buffer.from(content, "base64url")).toString());
  change(body);
  const packed = deflateRawSync(JSON.stringify(body)).toString("base64url");
  return `${prefix}.${crc32(packed).toString(16).padStart(8, "0")}.${packed}`;
}

/** What a camera reads from the QR code that a page shows; undefined if it finds none. */
export async function scanned(picture) {
  const png = await picture.screenshot();
  const [width, height, pixels] = await picture.page().evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    // One byte a pixel: the picture is black and white.
    const grey = data.filter((_, i) => i % 4 === 0);
    return [image.width, image.height, btoa(grey.reduce((text, byte) => text + String.fromCharCode(byte), ""))];
  }, png.toString("base64"));
  const grey = Buffer.from(pixels, "base64");
  const rgba = Uint8ClampedArray.from({ length: 4 * grey.length }, (_, i) => (i % 4 === 3 ? 255 : grey[i >> 2]));
  return jsQR(rgba, width, height, { inversionAttempts: "dontInvert" })?.data;
}

/** A lesson with one run, of a moment. */
export const LESSON = `lesson: Heads or tails
lab: control

# Toss
@choice toss
  ask: What comes up?
  option: Heads
  option: Tails

@run moment
  title: A moment
  settings: worlds=16, horizon=16
  units: 2

@check trained
  text: It has trained twice.
  when: moment.units >= 2

@sentence why
  ask: Why?
`;
/** The hash of a lesson of one's own. */
export const linkTo = (text) => `#/lesson/own?data=${deflateRawSync(Buffer.from(text)).toString("base64url")}`;
