// The colours of the text in the editor for worlds: which words and signs are of which kind.

import type { StreamParser, StringStream } from "@codemirror/language";
import { COLOURS, CONSTANTS, FUNCTIONS, PROPERTIES, SHAPES, STATEMENTS, WORDS } from "./vocabulary";

/** Where in a line the reader is. */
interface Place {
  /** The statement that the line began with; empty at its beginning. */
  statement: string;
  /** The word before. */
  before: string;
  /** Open brackets: within them a line may be broken. */
  depth: number;
}

const NAME = /^[\p{L}_][\p{L}\p{Nd}_]*/u;
/** The point of a number is not followed by another one: in `0..8` they stand for a range. */
const NUMBER = /^(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?/;
const has = (words: Record<string, string>, word: string) => Object.hasOwn(words, word);

/** Reads a text for CodeMirror, one token after the other. The names are those of its highlighting tags. */
export const worldParser: StreamParser<Place> = {
  name: "world",
  startState: () => ({ statement: "", before: "", depth: 0 }),
  copyState: (place) => ({ ...place }),
  token(stream, place) {
    if (stream.sol() && place.depth === 0) Object.assign(place, { statement: "", before: "" });
    if (stream.eatSpace()) return null;
    if (stream.peek() === "#") {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.eat('"')) {
      while (!stream.eol() && stream.next() !== '"');
      return "string";
    }
    if (stream.match(NUMBER)) return "number";
    if (stream.match(NAME)) return ofWord(stream, place);
    const sign = stream.next() ?? "";
    if ("([".includes(sign)) place.depth++;
    else if (")]".includes(sign)) place.depth = Math.max(0, place.depth - 1);
    else if ("+-*/%^<>=!:'".includes(sign)) return "operator";
    return null;
  },
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", '"'] } },
};

/** The kind of the word that was just read. */
function ofWord(stream: StringStream, place: Place): string | null {
  const word = stream.current();
  const { before, statement } = place;
  place.before = word;
  if (statement === "") {
    place.statement = word;
    return has(STATEMENTS, word) ? "keyword" : "variableName";
  }
  // After `for i in 0..8:` a statement follows.
  if (statement === "for" && (word === "draw" || word === "for")) {
    place.statement = word;
    return "keyword";
  }
  if (["param", "state", "let", "action"].includes(before)) return "variableName.definition";
  if (before === "draw" && has(SHAPES, word)) return "typeName";
  if (before === "color" && has(COLOURS, word)) return "atom";
  if (has(WORDS, word)) return "keyword";
  if (has(FUNCTIONS, word)) return "variableName.function";
  if (has(CONSTANTS, word)) return "atom";
  if (["draw", "camera"].includes(statement) && place.depth === 0 && has(PROPERTIES, word)) return "keyword";
  return "variableName";
}
