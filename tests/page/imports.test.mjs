// The rules for the page's imports (scripts/eslint-imports.mjs): what they refuse, and that they see every form of
// import.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { Linter } from "eslint";
import tseslint from "typescript-eslint";
import { root } from "../../scripts/commands.mjs";
import imports from "../../scripts/eslint-imports.mjs";

/** The messages about a file in www/ with this code. */
function messages(file, code) {
  const config = {
    files: ["**/*.ts"],
    plugins: { imports },
    rules: { "imports/layers": "error", "imports/no-cycle": "error" },
    languageOptions: { parser: tseslint.parser },
  };
  return new Linter().verify(code, config, { filename: join(root, "www", file) }).map(({ message }) => message);
}

test("folders import only what stands below them", () => {
  const refused = {
    "core/new.ts": ["../ui/dialog", "../labs/manifests", "../labs/cube/view", "../app", "../front/front"],
    "ui/new.ts": ["../labs/manifests", "../labs/cube/space", "../app", "../front/front", "../fleet/link"],
    "labs/cube/new.ts": ["../logic/view", "../manifests", "../../app", "../../front/card", "../../style/dialog.css"],
    "labs/new.ts": ["../app", "../front/front"],
    "front/new.ts": ["../labs/cube/space", "../app", "../embed/address", "../fleet/link"],
    "embed/new.ts": ["../labs/cube/view", "../main", "../front/front"],
    "fleet/new.ts": ["../labs/manifests", "../workers"],
    "new.ts": ["./labs/cube/view"],
  };
  for (const [file, paths] of Object.entries(refused)) {
    for (const path of paths) {
      const [message, ...more] = messages(file, `import "${path}";`);
      assert.match(message ?? "", /may not import from/, `${file}: ${path}`);
      assert.deepEqual(more, []);
    }
  }
});

test("folders import from those below them, themselves and elsewhere", () => {
  const allowed = {
    "core/new.ts": ["./run", "../generated/labs", "../../scripts/glossary.mjs", "uplot"],
    "ui/new.ts": ["../core/run", "./compare/hold", "../style/dialog.css", "../../docs/glossary.md?words"],
    "labs/cube/new.ts": ["./large/stage", "../../ui/dialog", "../../core/run", "../../../models/cube.safetensors?url"],
    "labs/new.ts": ["./cube/manifest", "../ui/lab-view"],
    "front/new.ts": ["../labs/manifests", "../ui/icons", "../style/front.css"],
    "new.ts": ["./app", "./front/front", "./labs/manifests", "./embed/address"],
  };
  for (const [file, paths] of Object.entries(allowed)) {
    for (const path of paths) assert.deepEqual(messages(file, `import "${path}";`), [], `${file}: ${path}`);
  }
});

test("every form of import counts, those of types too", () => {
  const forms = [
    'import type { App } from "../app";',
    'export { App } from "../app";',
    'export type * from "../app";',
    'const load = () => import("../app");',
    'let app: import("../app").App;',
    'new Worker(new URL("../app.ts", import.meta.url));',
    'import.meta.glob("../*.ts", { eager: true });',
    'import.meta.glob(["./*.ts", "../*.ts"]);',
  ];
  for (const form of forms) assert.deepEqual(messages("core/new.ts", form), ["core may not import from app"], form);
});

test("file does not import one that leads back to it", () => {
  // core/link.ts imports core/recipe.ts, and that core/values.ts.
  for (const form of ['import "./link";', 'import type { RunRequest } from "./link";', 'void import("./link");']) {
    const [message, ...more] = messages("core/values.ts", form);
    assert.match(message ?? "", /^this import leads back here: core\/link\.ts -> .*core\/values\.ts$/, form);
    assert.deepEqual(more, []);
  }
  assert.deepEqual(messages("core/recipe.ts", 'import "./values";'), []);
});
