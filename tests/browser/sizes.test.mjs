// The page of a lab at twelve sizes of the window, resized while it learns: what stays in sight covers no control,
// nothing is cut off at the right, and the tools are reached without scrolling.
//
// Uses: www/ui/challenges/panel.ts, www/ui/compare/compare-panel.ts, www/ui/library.ts, www/ui/settings-panel.ts
// Uses: www/ui/share.ts

import assert from "node:assert/strict";
import { labNames } from "../../scripts/dev-bundles.mjs";
import { hosts, openPage, root, test, until } from "./harness.mjs";
import {
  ALL_PRESSES,
  openTool,
  provokeNotice,
  setRunning,
  state,
  untilFrames,
  untilLearning,
  untilStill,
} from "./lab.mjs";

/** Width and height of windows, in CSS pixels: phones and tablets upright and on their side, laptops, a monitor. */
const SIZES = [
  [360, 640],
  [640, 360],
  [390, 844],
  [844, 390],
  [768, 1024],
  [1024, 768],
  [820, 1180],
  [1180, 820],
  [1280, 720],
  [1366, 768],
  [1440, 900],
  [1920, 1080],
];

/** What stays in sight while the page scrolls. */
const BARS = ".dock-place, .tool-tabs, .timeline-place, .lab-side, .sheet";

/** Opens a lab as a fresh visitor, and waits until every part of its page is there. */
async function openLab(lab, [width, height]) {
  const page = await openPage(hosts.isolated, `#/${lab}`, { viewport: { width, height }, reducedMotion: "reduce" });
  await untilLearning(page);
  // At the slowest pace no goal is reached meanwhile, which would put a button on the picture.
  for (let press = 0; press < ALL_PRESSES; press++) await page.keyboard.press("[");
  await page.locator(".timeline").waitFor();
  await page.locator(".curves").waitFor();
  return page;
}

/** Resizes the window, and waits until the page has the layout of that size. */
async function resize(page, [width, height]) {
  await page.setViewportSize({ width, height });
  await untilStill(page, () =>
    page.evaluate(() => {
      const { scrollWidth, scrollHeight, style } = document.documentElement;
      return [innerWidth, innerHeight, scrollWidth, scrollHeight, style.getPropertyValue("--dock-height")];
    }),
  );
}

/**
 * Which controls in the elements of the selector `within` are covered after they were scrolled into sight, and by what:
 * to the nearest edge from the upper and from the lower end of the page, and to the middle. The centre of a control
 * must be its own, and if it is not very high also points near its corners. With `by` only what these elements cover
 * counts.
 */
const coveredControls = (page, { within = "body", by = "*" } = {}) =>
  page.evaluate(
    ([within, by]) => {
      const CONTROLS = "a[href], button, input, select, textarea, summary, [role=button], [role=slider], [role=tab]";
      /** Corners may be round, so the points lie inside them by this fraction of the shorter side. */
      const INSET = 0.16;
      /** Smaller boxes, in pixels, can only be pressed by keyboard. */
      const MIN_SIZE = 4;
      const describe = (node) => {
        if (node === null) return "the edge of the window";
        const text = (node.getAttribute("aria-label") ?? node.textContent).trim().slice(0, 30);
        return `${node.tagName.toLowerCase()}.${[...node.classList].join(".")} “${text}”`;
      };
      const boxes = (control) =>
        [...control.getClientRects()].filter(({ width, height }) => width >= MIN_SIZE && height >= MIN_SIZE);
      const points = ({ left, top, right, bottom, width, height }) => {
        const inset = INSET * Math.min(width, height);
        const corners = [left + inset, right - inset].flatMap((x) => [top + inset, bottom - inset].map((y) => [x, y]));
        const centre = [(left + right) / 2, (top + bottom) / 2];
        return height > innerHeight / 4 ? [centre] : [centre, ...corners];
      };
      /** Whether the topmost element at a point is the control, a part of it, its label, or what it lies in. */
      const belongs = (hit, control) =>
        hit !== null &&
        (control.contains(hit) ||
          hit.contains(control) ||
          [...(control.labels ?? [])].some((each) => each.contains(hit)));
      const ways = {
        "down to the nearest edge": (control) => {
          scrollTo(0, 0);
          control.scrollIntoView({ block: "nearest", inline: "nearest" });
        },
        "up to the nearest edge": (control) => {
          scrollTo(0, document.documentElement.scrollHeight);
          control.scrollIntoView({ block: "nearest", inline: "nearest" });
        },
        "to the middle": (control) => control.scrollIntoView({ block: "center", inline: "nearest" }),
      };
      const controls = [...document.querySelectorAll(within)]
        .flatMap((part) => [...part.querySelectorAll(CONTROLS)])
        .filter((each) => each.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }))
        .filter((each) => boxes(each).length > 0);
      if (controls.length === 0) return [`there is no control in ${within}`];
      return controls.flatMap((control) =>
        Object.entries(ways).flatMap(([way, scroll]) => {
          scroll(control);
          const hits = boxes(control).flatMap((box) => points(box).map(([x, y]) => document.elementFromPoint(x, y)));
          const cover = hits.find((hit) => !belongs(hit, control) && (by === "*" || hit?.closest(by)));
          return cover === undefined ? [] : [`${describe(control)}, ${way}: ${describe(cover)}`];
        }),
      );
    },
    [within, by],
  );

/** The parts of the page that are wider than the window, or than the column beside the picture. */
const cutOff = (page) =>
  page.evaluate(() => {
    /** Boxes may lie beside the window by a fraction of a pixel. */
    const TOLERANCE = 1;
    const found = [];
    const check = (what, excess) => excess > TOLERANCE && found.push(`${what} is ${excess} px too wide`);
    check("the page", document.documentElement.scrollWidth - innerWidth);
    for (const column of document.querySelectorAll(".lab-side, .lab-main, .words, .tools")) {
      if (column.matches(".lab-side")) check(".lab-side", column.scrollWidth - column.clientWidth);
      /** Whether a box around an element cuts what does not fit, as those of long names do. */
      const isCut = (node) => {
        for (let box = node.parentElement; box !== column; box = box.parentElement)
          if (getComputedStyle(box).overflowX !== "visible") return true;
        return false;
      };
      for (const node of [column, ...column.querySelectorAll("*")]) {
        if (!(node instanceof HTMLElement) || !node.checkVisibility()) continue;
        const { left, right, width } = node.getBoundingClientRect();
        const excess = Math.max(right - innerWidth, -left);
        if (width > 0 && (node === column || !isCut(node))) check(`${node.tagName}.${node.className}`, excess);
      }
    }
    return found;
  });

/** What a visitor looks at in each lab. */
const BOARDS = {
  control: ".stage",
  backgammon: ".board",
  cube: ".cube-stage",
  logic: ".logic-panes",
  language: ".language-stage",
};

/** By how many pixels a notice lies over the board when that was scrolled into sight from below and from above. */
const noticeOver = (page, board) =>
  page.evaluate((board) => {
    const [notice, below] = [".dock .notice", board].map((selector) => document.querySelector(selector));
    return [0, document.documentElement.scrollHeight].map((from) => {
      scrollTo(0, from);
      below.scrollIntoView({ block: "nearest" });
      const [a, b] = [notice, below].map((each) => each.getBoundingClientRect());
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      return width > 1 && height > 1 ? height : 0;
    });
  }, board);

/** The part of the board that the card of the tour leaves free, where that is not all of it. */
const MAIN_PARTS = { cube: ".cube-surface", language: ".language-grid-frame" };

/** Which of these lie under the card of the tour: what it explains, the main part of the board, and the score. */
const underTour = (page, board) =>
  page.evaluate((board) => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const card = box(".tour-card");
    return [".tour-outline", board, ".lab .score"].filter((selector) => {
      const { left, right, top, bottom } = box(selector);
      const width = Math.min(right, card.right) - Math.max(left, card.left);
      const height = Math.min(bottom, card.bottom) - Math.max(top, card.top);
      return width > 1 && height > 1;
    });
  }, board);

for (const lab of labNames(root)) {
  test(`no control is covered, nothing is cut off when the window changes, no notice and no tour lies over the board: ${lab}`, async () => {
    const page = await openLab(lab, SIZES[0]);
    for (const size of SIZES) {
      await resize(page, size);
      assert.deepEqual(await coveredControls(page), [], `${lab}, ${size.join(" × ")}`);
    }
    const [upright, turned] = [
      [820, 1180],
      [1180, 820],
    ];
    for (const size of [upright, turned, upright, [1024, 768], [1440, 900], [390, 844], turned]) {
      await resize(page, size);
      assert.deepEqual(await cutOff(page), [], `${lab}, ${size.join(" × ")}`);
    }
    await provokeNotice(page);
    for (const size of [turned, upright, [1280, 720], [390, 844]]) {
      await resize(page, size);
      assert.deepEqual(await noticeOver(page, BOARDS[lab]), [0, 0], `${lab}, ${size.join(" × ")}`);
    }
    assert.ok((await state(page)).running, "it has learned meanwhile");

    await resize(page, [1280, 720]);
    await page.evaluate(() => globalThis.learnery.pause()); // no caption goes on by itself
    await page.getByRole("button", { name: "Take the tour" }).click();
    const onward = page.locator(".tour-buttons .button").last();
    for (let isLast = false; !isLast;) {
      await onward.waitFor();
      const count = await page.locator(".tour-count").textContent();
      await until(
        `caption ${count} of ${lab} covers nothing`,
        async () => !(await underTour(page, MAIN_PARTS[lab] ?? BOARDS[lab])).length,
      );
      isLast = (await onward.textContent()) === "End";
      await onward.click();
    }
    await page.assertNoErrors();
  });
}

test("no control is covered, and nothing is cut off, while a notice is shown", async () => {
  const page = await openLab("control", SIZES[0]);
  await provokeNotice(page);
  for (const size of SIZES) {
    await resize(page, size);
    assert.deepEqual(await coveredControls(page), [], size.join(" × "));
    assert.deepEqual(await cutOff(page), [], size.join(" × "));
  }
  assert.equal(await page.locator(".dock .notice").count(), 1);
  await page.assertNoErrors();
});

test("no control of a tool is covered", async () => {
  const page = await openLab("control", SIZES[0]);
  const titles = await page.getByRole("tab").allTextContents();
  assert.equal(titles.length, 6);
  for (const title of titles) {
    await openTool(page, title);
    await page.locator(".tool-panel:visible > *").first().waitFor();
    for (const size of [
      [360, 640],
      [1280, 720],
    ]) {
      await resize(page, size);
      assert.deepEqual(await coveredControls(page, { within: ".tools" }), [], `${title}, ${size.join(" × ")}`);
    }
  }
  await page.assertNoErrors();
});

test("timeline that stays in sight while one looks back covers no control", async () => {
  const page = await openLab("control", [1280, 720]);
  const slider = page.getByRole("slider", { name: "Moment of the run" });
  await until(
    "there is a moment to look back at",
    async () => (await slider.getAttribute("aria-disabled")) === "false",
  );
  await slider.focus();
  await page.keyboard.press("Home");
  await page.locator(".past-sign").waitFor();
  for (const size of [
    [1280, 720],
    [820, 1180],
    [390, 844],
  ]) {
    await resize(page, size);
    assert.deepEqual(await coveredControls(page, { by: BARS }), [], size.join(" × "));
  }
  await page.assertNoErrors();
});

test("open sheet covers no control, and its head none of the dials", async () => {
  const page = await openLab("control", [390, 844]);
  await page.getByRole("button", { name: "Dials" }).click();
  await page.getByRole("dialog", { name: "Dials" }).waitFor();
  await resize(page, [390, 844]);
  assert.deepEqual(await coveredControls(page, { by: BARS }), []);
  await page.assertNoErrors();
});

test("tools are reached without scrolling, and a press on a tab leads to its panel", async () => {
  const page = await openLab("control", [360, 640]);
  /** The upper and lower edges of the row of tabs, of the panels and of the dock. */
  const edges = () =>
    page.evaluate(() =>
      [".tool-tabs", ".tools", ".dock"].map((name) => {
        const { top, bottom } = document.querySelector(name).getBoundingClientRect();
        return { top, bottom };
      }),
    );
  for (const size of [
    [360, 640],
    [390, 844],
    [820, 1180],
    [1280, 720],
    [1440, 900],
  ]) {
    await resize(page, size);
    for (const title of ["Compare", "Challenges", "Runs", "Share and save", "Settings"]) {
      await page.evaluate(() => scrollTo(0, 0));
      const [row, , dock] = await edges();
      const where = `${title}, ${size.join(" × ")}`;
      assert.ok(row.top > 0 && row.bottom <= dock.top + 1, `${where}: the tabs are in sight`);
      await page.getByRole("tab", { name: title, exact: true }).click();
      await until(`${where}: the panel is in sight`, async () => {
        const [row, panel, dock] = await edges();
        return row.top >= 0 && panel.top >= row.bottom - 1 && panel.top < dock.top - 60;
      });
    }
  }
  await page.assertNoErrors();
});

test("focus of a tab or of a run control does not scroll the page", async () => {
  const page = await openLab("control", [1280, 720]);
  await setRunning(page, false); // sentences that change their height would move the page
  for (const name of ['.tool-tab[tabindex="0"]', ".play", ".restart"]) {
    await page.evaluate(() => scrollTo(0, 150));
    await page.locator(name).evaluate((node) => node.focus());
    await untilFrames(page, 2);
    assert.equal(await page.evaluate(() => scrollY), 150, name);
  }
  await page.assertNoErrors();
});
