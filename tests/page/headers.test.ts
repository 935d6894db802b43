// Unit tests of scripts/headers.mjs, from which the policies of the pages and the headers of all hosts come.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { ELEMENT_SCRIPT, headersFile, headersOf, nginxLines, PAGES, policyOf } from "../../scripts/headers.mjs";
import { ELEMENT_SCRIPT as SCRIPT_IN_SNIPPETS } from "../../www/embed/address";

const root = fileURLToPath(new URL("../../", import.meta.url));
const CSP = "Content-Security-Policy";
const FILES = ["", ...PAGES, ELEMENT_SCRIPT, "sw.js", "assets/page-0123abcd.js"];

test("every page of the repository has a policy, and its header says the same as its meta tag", () => {
  assert.deepEqual(
    readdirSync(root)
      .filter((name) => name.endsWith(".html"))
      .sort(),
    [...PAGES].sort(),
  );
  for (const page of PAGES) {
    const header = headersOf(page)[CSP];
    // Only a header can say who may show the page in a frame.
    assert.equal(header?.replace("; frame-ancestors 'none'", ""), policyOf(page), page);
  }
  assert.equal(headersOf("")[CSP], headersOf("index.html")[CSP]);
});

test("foreign pages may frame embeds and load the element, and nothing else", () => {
  const shared = (path: string) => headersOf(path)["Cross-Origin-Resource-Policy"] === "cross-origin";
  assert.deepEqual(FILES.filter(shared), ["", "index.html", "embed.html", ELEMENT_SCRIPT]);
  const framed = PAGES.filter((page) => !headersOf(page)[CSP]?.includes("frame-ancestors"));
  assert.deepEqual(framed, ["index.html", "embed.html"]);
  assert.equal(ELEMENT_SCRIPT, SCRIPT_IN_SNIPPETS);
});

/** The headers that `_headers` gives a path, as Netlify reads it. Fails if two rules give the same header. */
function headersByFile(path: string): Record<string, string> {
  const found: Record<string, string> = {};
  let applies = false;
  for (const line of headersFile().split("\n").filter(Boolean)) {
    if (!line.startsWith(" ")) {
      applies = line === `/${path}` || (line.endsWith("*") && `/${path}`.startsWith(line.slice(0, -1)));
    } else if (applies) {
      const [, name = "", value = ""] = /^ {2}([\w-]+): (.+)$/.exec(line) ?? [];
      assert.ok(name && !(name in found), `${path}: ${line}`);
      found[name] = value;
    }
  }
  return found;
}

test("the file _headers gives every file its headers", () => {
  for (const path of FILES) {
    // What few files would need a rule for each, such as sw.js, has the headers of all.
    const { ["Cross-Origin-Resource-Policy"]: sharing, ...expected } = headersOf(path);
    const { ["Cross-Origin-Resource-Policy"]: shared = "same-origin", ...rest } = headersByFile(path);
    assert.deepEqual(rest, expected, path);
    assert.equal(shared, sharing, path);
  }
});

test("docs/hosting.md has the lines for nginx", () => {
  const text = readFileSync(new URL("../../docs/hosting.md", import.meta.url), "utf8");
  assert.ok(text.includes(`\`\`\`nginx\n${nginxLines()}\`\`\``), "put the output of nginxLines() into docs/hosting.md");
});

/** The value that the `map` of a variable gives a path. */
function mapped(variable: string, path: string): string | undefined {
  const block = nginxLines().split(`map $uri ${variable} {\n`)[1]?.split("\n}")[0] ?? "";
  const lines = [...block.matchAll(/^ {4}(\S+) "(.*)";$/gm)];
  const regex = lines.find(([, pattern = ""]) => pattern.startsWith("~") && new RegExp(pattern.slice(1)).test(path));
  return (regex ?? lines.find(([, pattern]) => pattern === "default"))?.[2];
}

test("the lines for nginx give every file its headers, below any path", () => {
  for (const path of FILES.filter(Boolean)) {
    const headers = headersOf(path);
    for (const uri of [`/${path}`, `/some/folder/${path}`]) {
      assert.equal(mapped("$learnery_policy", uri), headers[CSP], uri);
      assert.equal(mapped("$learnery_sharing", uri), headers["Cross-Origin-Resource-Policy"], uri);
      assert.equal(mapped("$learnery_keep", uri), headers["Cache-Control"] ?? "no-cache", uri);
    }
  }
});
