// Result codes as a forger writes them.

import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";

/** A code whose content was changed, with a right checksum. */
export function forged(code, change) {
  const body = JSON.parse(inflateRawSync(Buffer.from(code.split(".")[2], "base64url")).toString());
  change(body);
  const packed = deflateRawSync(JSON.stringify(body)).toString("base64url");
  return `LC1.${crc32(packed).toString(16).padStart(8, "0")}.${packed}`;
}
