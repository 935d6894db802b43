// Why a tool cannot answer, in a sentence.

import { ToolRefusal } from "../../core/ask";
import { sentenceEnd } from "../../core/format";

/** The sentence about what was thrown while a tool was asked. `notLoaded` is for a part of the page that is missing. */
export function describeRefusal(error: unknown, notLoaded: string): string {
  if (!(error instanceof ToolRefusal)) return notLoaded;
  // The name of the field tells a visitor nothing.
  const prefix = error.field === null ? "" : `input \`${error.field}\`: `;
  const reason = error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
  return sentenceEnd(reason);
}
