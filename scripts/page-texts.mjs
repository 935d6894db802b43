// Whether a change of a script of the page affects code, or only comments, types and texts that visitors read. The two
// versions are compared as JavaScript, without types and comments, and with placeholders instead of strings.

import ts from "typescript";
import { parse, piecesOf, walk } from "./page-graph.mjs";

/** Names of keys, which look like words that are shown. */
export const KEY_PATTERN =
  /^(Alt|Arrow\w+|Backspace|Control|Delete|End|Enter|Escape|Home|Meta|Page\w+|Shift|Space|Tab)$/;
/** Names of attributes that code and style sheets read. */
const CODE_ATTRIBUTES = new Set([
  "class",
  "className",
  "for",
  "href",
  "id",
  "key",
  "kind",
  "name",
  "rel",
  "role",
  "type",
]);

/** How many words before and after those that differ belong to a changed text. */
const CONTEXT = 3;

/** Without types and comments. */
const toJavaScript = (text, fileName) =>
  ts.transpileModule(text, {
    fileName,
    compilerOptions: { target: "esnext", module: "esnext", removeComments: true, verbatimModuleSyntax: true },
  }).outputText;

/** Whether a script has nothing but types. */
export const hasOnlyTypes = (text, file) => /^(\s|export \{\};)*$/.test(toJavaScript(text, file));

/** Whether code compares a string, looks something up with it or gives it to a style sheet. */
function isOfCode(node) {
  const { parent } = node;
  if (ts.isBinaryExpression(parent))
    return ![
      ts.SyntaxKind.PlusToken,
      ts.SyntaxKind.EqualsToken,
      ts.SyntaxKind.QuestionQuestionToken,
      ts.SyntaxKind.BarBarToken,
      ts.SyntaxKind.PlusEqualsToken,
    ].includes(parent.operatorToken.kind);
  if (ts.isPropertyAssignment(parent)) return parent.name === node || CODE_ATTRIBUTES.has(parent.name.text);
  return (
    ts.isCaseClause(parent) ||
    ts.isElementAccessExpression(parent) ||
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword)
  );
}

/**
 * Whether a string is one that a visitor reads: it begins with a capital letter or has three words, and has no signs of
 * code.
 */
function isForReading(node) {
  // A digit stands for what a template fills in.
  const text = piecesOf(node).join("0");
  if (KEY_PATTERN.test(text) || /[{}<>=;_#[\]|\\/@*]|(?<!\p{L})\p{Ll}+\p{Lu}/u.test(text) || isOfCode(node))
    return false;
  return /^\p{Lu}\p{Ll}/u.test(text) || /\p{L}.* .*\p{L}.* .*\p{L}/u.test(text);
}

/** The code of a script with a placeholder for each string, and these strings in their order. */
function withoutStrings(text, file) {
  const code = toJavaScript(text, file);
  const source = parse(code, file.replace(/\.ts$/, ".js"));
  const strings = [];
  const ranges = [];
  walk(source, (node) => {
    if (ts.isTemplateExpression(node)) {
      strings.push({ pieces: piecesOf(node), isRead: isForReading(node) });
      for (const part of [node.head, ...node.templateSpans.map(({ literal }) => literal)]) ranges.push(part);
    } else if (ts.isStringLiteralLike(node)) {
      strings.push({ pieces: piecesOf(node), isRead: isForReading(node) });
      ranges.push(node);
    } else if (ts.isRegularExpressionLiteral(node)) {
      strings.push({ pieces: [node.text], isRead: false });
      ranges.push(node);
    }
    return true;
  });
  let [shape, end] = ["", 0];
  // How a string is wrapped changes blanks, and adds commas at ends of lines.
  const add = (part) => (shape += part.replace(/\s+/g, "").replace(/,(?=[)\]}])/g, ""));
  ranges.sort((a, b) => a.getStart() - b.getStart());
  for (const range of ranges) {
    add(code.slice(end, range.getStart()));
    // Of a template only the fixed parts become a placeholder; the code in `${…}` stays.
    shape +=
      range.kind === ts.SyntaxKind.StringLiteral || range.kind === ts.SyntaxKind.NoSubstitutionTemplateLiteral
        ? '""'
        : "`";
    end = range.getEnd();
  }
  add(code.slice(end));
  return { shape: shape.replace(/,(?=[)\]}])/g, ""), strings };
}

/** The parts of two texts in which they differ, with some words before and after. */
function differing(before, after) {
  const [a, b] = [before, after].map((text) => text.split(/\s+/).filter(Boolean));
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return [a, b].map((words) =>
    words.slice(Math.max(0, start - CONTEXT), words.length - Math.max(0, end - CONTEXT)).join(" "),
  );
}

/**
 * The strings for reading that differ between two versions of a script, old and new, cut to the parts that differ; null
 * if anything else differs. Comments, types and blanks do not count.
 */
export function changedTexts(before, after, file) {
  const [a, b] = [withoutStrings(before, file), withoutStrings(after, file)];
  if (a.shape !== b.shape || a.strings.length !== b.strings.length) return null;
  const texts = new Set();
  for (const [i, old] of a.strings.entries()) {
    const now = b.strings[i];
    if (JSON.stringify(old.pieces) === JSON.stringify(now.pieces)) continue;
    if (!old.isRead || !now.isRead) return null;
    for (const [j, piece] of old.pieces.entries())
      if (piece !== now.pieces[j]) for (const part of differing(piece, now.pieces[j])) texts.add(part);
  }
  return [...texts];
}
