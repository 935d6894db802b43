// Whether two texts have the same rules, but for what a challenge leaves free. Both texts are worlds, so their tokens
// are those of the language (crates/world-rules/src/syntax/lexer.rs), and each statement ends with its line, unless a
// bracket is open.

/** What a challenge leaves free. */
export interface FreeParts {
  /** The statement that may be changed, by its first word. */
  changeable: "reward" | "observe";
  /**
   * Parts of the state that the agent must not see: new and changed lines use neither them nor a `let` that depends on
   * them.
   */
  hidden: readonly string[];
}

interface Statement {
  tokens: string[];
  /** The line of the text, from 1 on. */
  line: number;
  source: string;
}

/** Comments, texts in quotes, names, numbers, ends of lines, and single signs, which stand for longer ones too. */
const TOKEN =
  /#[^\n]*|"[^"\n]*"|[\p{Alphabetic}_][\p{Alphabetic}_0-9]*|(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?|\n|[^ \t\r\ufeff]/gu;
const NAME = /^[\p{Alphabetic}_]/u;

/** Statements without an effect on what happens in a world: titles, pictures, and the score that is asked for. */
const WITHOUT_EFFECT = ["world", "about", "solved", "camera", "draw", "for"];

/** The statements of a text, as lists of their signs. */
function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  let tokens: string[] = [];
  let [line, first, depth, from, to] = [1, 1, 0, 0, 0];
  const end = () => {
    if (tokens.length > 0) statements.push({ tokens, line: first, source: text.slice(from, to) });
    tokens = [];
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "\n") {
      line++;
      if (depth === 0) end();
    } else if (!token.startsWith("#")) {
      if (tokens.length === 0) [first, from] = [line, index];
      tokens.push(token);
      to = index + token.length;
      if (token === "(" || token === "[") depth++;
      if (token === ")" || token === "]") depth--;
    }
  }
  end();
  return statements;
}

/** What a statement says of something with a name: `state x`, `let x`, `x' =`; null for others. */
function declared({
  tokens: [first = "", second = ""],
}: Statement): { kind: "state" | "let" | "next"; name: string } | null {
  if (first === "state" || first === "let") return { kind: first, name: second };
  return second === "'" ? { kind: "next", name: first } : null;
}

/** The names that a statement uses. Behind `as` stands what an observation is called. */
const namesIn = ({ tokens }: Statement): string[] =>
  tokens.filter((token, i) => NAME.test(token) && tokens[i - 1] !== "as");

/** The hidden names, with every `let` that depends on them. */
function withDependents(hidden: readonly string[], statements: readonly Statement[]): Set<string> {
  const all = new Set(hidden);
  // A `let` uses only what stands above it, and parts of the state wherever they stand.
  for (const statement of statements) {
    const declaration = declared(statement);
    if (declaration?.kind === "let" && namesIn(statement).some((name) => all.has(name))) all.add(declaration.name);
  }
  return all;
}

/** A statement as it stands in the text, cut to a length that can be read. */
function shown({ source }: Statement): string {
  const text = source.replace(/\s+/g, " ");
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/**
 * What a text changes that a challenge does not leave free, as a sentence; null if nothing. Beside the changeable
 * statement, new parts of the state, their rules, and `let`s may be added: the other statements do not use them.
 */
export function forbiddenChange(original: string, text: string, free: FreeParts): string | null {
  const before = statementsOf(original);
  const isFixed = ({ tokens: [word = ""] }: Statement) => word !== free.changeable && !WITHOUT_EFFECT.includes(word);
  const fixed = before.filter(isFixed);
  const known = new Set(before.flatMap((statement) => declared(statement)?.name ?? []));
  const hidden = withDependents(free.hidden, before);
  const isSame = (a: Statement, b: Statement | undefined) =>
    a.tokens.length === b?.tokens.length && a.tokens.every((token, i) => token === b.tokens[i]);
  let next = 0;
  let hasChangeable = false;
  for (const statement of statementsOf(text)) {
    const [word = ""] = statement.tokens;
    const declaration = declared(statement);
    // `x' = 1` is a rule, also of a state that is called like a word of the language.
    if (!declaration && WITHOUT_EFFECT.includes(word)) continue;
    if (isSame(statement, fixed[next])) {
      next++;
      continue;
    }
    const isChangeable = !declaration && word === free.changeable;
    hasChangeable ||= isChangeable;
    const isNew = declaration !== null && !known.has(declaration.name);
    if (!isChangeable && !isNew) {
      const missing = fixed[next];
      const isLeftOut = missing !== undefined && fixed.slice(next + 1).some((other) => isSame(statement, other));
      return isLeftOut
        ? leftOut(missing)
        : `Line ${statement.line}, “${shown(statement)}”, is no rule of the challenge.`;
    }
    const seen = namesIn(statement).find((name) => hidden.has(name));
    if (seen !== undefined) return `Line ${statement.line} uses “${seen}”, which has to stay hidden from the agent.`;
  }
  const missing = fixed[next];
  if (missing) return leftOut(missing);
  // Without `observe` the agent sees the whole state.
  return free.changeable === "observe" && !hasChangeable
    ? "A line has to begin with observe. Without one the agent sees everything."
    : null;
}

const leftOut = (statement: Statement): string =>
  `The rule “${shown(statement)}” of the challenge is missing, changed, or in another place.`;

/** Whether a text is about the same world at all: whether it has at least half of the statements of another one. */
export function isVariant(original: string, text: string): boolean {
  const have = new Set(statementsOf(text).map(({ tokens }) => tokens.join(" ")));
  const wanted = statementsOf(original);
  return 2 * wanted.filter(({ tokens }) => have.has(tokens.join(" "))).length >= wanted.length;
}
