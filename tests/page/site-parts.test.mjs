// Which files of a built site belong to which lab.

import assert from "node:assert/strict";
import { test } from "node:test";
import { labsOfFiles } from "../../scripts/site-parts.mjs";

const LABS = ["control", "cube"];

/** A chunk in the form in which Vite describes it. */
const chunk = (fileName, modules, { css = [], assets = [], ...more } = {}) => ({
  type: "chunk",
  fileName,
  isEntry: false,
  moduleIds: modules.map((module) => `/home/someone/learnery/${module}`),
  imports: [],
  dynamicImports: [],
  viteMetadata: { importedCss: new Set(css), importedAssets: new Set(assets) },
  ...more,
});

const asset = (fileName) => ({ type: "asset", fileName });

const siteOf = (...files) => Object.fromEntries(files.map((file) => [file.fileName, file]));

const SITE = siteOf(
  chunk("index.js", ["index.html"], {
    isEntry: true,
    imports: ["page.js"],
    dynamicImports: ["front.js", "control-texts.js", "cube-texts.js", "compare.js"],
  }),
  chunk("page.js", ["www/core/run.ts", "www/labs/control/manifest.ts", "www/labs/cube/manifest.ts"], {
    css: ["page.css"],
    dynamicImports: ["control-view.js", "cube-view.js"],
  }),
  chunk("front.js", ["www/front/front.ts"], { imports: ["cube-picture.js"] }),
  chunk("compare.js", ["www/ui/compare/panel.ts"], { imports: ["slider.js"] }),
  chunk("control-texts.js", ["www/generated/labs/control.ts"]),
  chunk("cube-texts.js", ["www/generated/labs/cube.ts"]),
  chunk("control-view.js", ["www/labs/control/view.ts"], { imports: ["page.js", "slider.js", "plot.js"] }),
  chunk("cube-view.js", ["www/labs/cube/view.ts", "www/ui/net.ts"], {
    imports: ["page.js", "plot.js"],
    dynamicImports: ["cube-dialog.js"],
    css: ["cube.css"],
    assets: ["cube.safetensors"],
  }),
  chunk("cube-dialog.js", ["www/ui/dialog.ts"]),
  chunk("cube-picture.js", ["www/labs/cube/picture.ts"]),
  chunk("slider.js", ["www/ui/slider.ts"]),
  chunk("plot.js", ["www/ui/plot.ts"]),
  ...["page.css", "cube.css", "cube.safetensors", "worker.js"].map(asset),
);

test("file of a lab is what only its chunks lead to", () => {
  assert.deepEqual(labsOfFiles(SITE, LABS), {
    "control-texts.js": ["control"],
    "control-view.js": ["control"],
    "cube-texts.js": ["cube"],
    "cube-view.js": ["cube"],
    "cube-dialog.js": ["cube"],
    "cube.css": ["cube"],
    "cube.safetensors": ["cube"],
    "plot.js": ["control", "cube"],
  });
});

test("lab without a file in the site is an error", () => {
  assert.throws(() => labsOfFiles(SITE, [...LABS, "logic"]), /the lab logic/);
});
