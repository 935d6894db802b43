// Lints of the page, its scripts and its tests. Layout is Prettier's business, so no rule here is about layout.

import eslint from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import globals from "globals";
import tseslint from "typescript-eslint";
import imports from "./scripts/eslint-imports.mjs";

export default defineConfig(
  globalIgnores(["www/generated/", "dist/", "target/", "crates/", "xtask/", "runs/", "shared/"]),
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  eslint.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // `() => this.draw()` as a listener is clearer than a block around one call.
      "@typescript-eslint/no-confusing-void-expression": "off",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      // Stickers, rows of pixels and the like are strings of ASCII letters.
      "@typescript-eslint/no-misused-spread": "off",
      // The types of browsers and of uPlot promise values that are missing in practice.
      "@typescript-eslint/no-unnecessary-condition": "off",
      // uPlot declares its options as enums that do not exist at run time.
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      // Node's test runner waits for its tests itself.
      "@typescript-eslint/no-floating-promises": [
        "error",
        { allowForKnownSafeCalls: [{ from: "package", name: "test", package: "node:test" }] },
      ],
    },
  },
  // Which folder of the page may use which.
  {
    files: ["www/**/*.ts"],
    plugins: { imports },
    rules: { "imports/layers": "error", "imports/no-cycle": "error" },
  },
  // Browser tests hand functions to the page, so both worlds' globals occur in one file.
  { files: ["**/*.mjs"], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
  // Playwright's fixtures name what they need as properties of their first argument, which may be none.
  {
    files: ["tests/browser/*.mjs"],
    rules: { "no-empty-pattern": ["error", { allowObjectPatternsAsParameters: true }] },
  },
  { files: ["www/sw.js"], languageOptions: { globals: globals.serviceworker } },
  { files: ["tests/browser/engines/recorder.js"], languageOptions: { globals: globals.browser } },
  // Old browsers have to understand the script that tells them that they are too old.
  {
    files: ["www/load-failure.js"],
    languageOptions: { globals: globals.browser, ecmaVersion: 5, sourceType: "script" },
  },
);
