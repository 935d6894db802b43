// Reads the part of docs/glossary.md that the page shows: the entries under "Explained on the page". Vite puts it into
// the site (vite.config.ts): `glossary.md?words` is the list of words that are explained, which every visit loads,
// and `glossary.md?terms` are the explanations, which are loaded when the first word is asked for.

/** The heading above the entries. They end at the next heading of the same level. */
const PART_HEADING = "## Explained on the page";
/** The facts of an entry: those that are a text, and those that are a list with commas. */
const TEXT_KEYS = ["formula", "up", "down"];
const LIST_KEYS = ["also", "in", "settings", "metrics"];

/**
 * The entries of the glossary. Throws where an entry is not as docs/glossary.md says.
 * @param {string} markdown
 * @returns {import("./glossary.mjs").Term[]}
 */
export function parseGlossary(markdown) {
  const start = markdown.indexOf(`\n${PART_HEADING}\n`);
  if (start < 0) throw new Error(`the glossary has no part "${PART_HEADING}"`);
  const rest = markdown.slice(start + PART_HEADING.length + 2);
  const end = rest.search(/^## /m);
  const [, ...entries] = (end < 0 ? rest : rest.slice(0, end)).split(/^### /m);
  return entries.map(parseEntry);
}

function parseEntry(entry) {
  const [name, ...lines] = entry.trim().split("\n");
  const term = { name: name.trim(), text: "", also: [], in: [], settings: [], metrics: [] };
  for (const line of lines) {
    const [, key, value] = /^- (\w+): (.+)$/.exec(line) ?? [];
    if (!key) term.text = `${term.text} ${line.trim()}`.trim();
    else if (TEXT_KEYS.includes(key)) term[key] = value;
    else if (LIST_KEYS.includes(key)) term[key] = value.split(", ");
    else throw new Error(`the glossary's entry "${term.name}" has an unknown fact: ${key}`);
  }
  if (!term.text) throw new Error(`the glossary's entry "${term.name}" has no sentence`);
  return term;
}

/**
 * What a page needs to find the words in its texts.
 * @param {import("./glossary.mjs").Term[]} terms
 * @returns {import("./glossary.mjs").Words[]}
 */
export function wordsOf(terms) {
  return terms.map(({ name, also, in: labs }) => ({ name, forms: [name, ...also], labs }));
}
