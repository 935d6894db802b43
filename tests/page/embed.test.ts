// Unit tests of embeds: their parameters, addresses, messages and snippets.

import assert from "node:assert/strict";
import { test } from "node:test";
import { packData } from "../../www/core/packed";
import { embedAddress, embedOfIndex } from "../../www/embed/address";
import { readFromEmbed, readToEmbed, wrapped } from "../../www/embed/messages";
import { LINKED_PARTS, MORE_PARTS, readParameters, USUAL_PARTS } from "../../www/embed/parameters";
import { writeSnippet } from "../../www/embed/snippet";
import { LABS } from "../../www/generated/labs";

const read = (search: string, hash = "") => readParameters(search, hash, LABS);

test("parameters are read", async () => {
  const options = await read(
    "?lab=logic&preset=life&seed=7&hide=title,goal&show=controls&autoplay&speed=max&theme=dark&lang=en-GB" +
      "&origin=https%3A%2F%2Fexample.org",
  );
  assert.deepEqual(options.problems, []);
  assert.equal(options.request?.lab.about.id, "logic");
  assert.equal(options.request?.settings["experiment"], "life");
  assert.equal(options.request?.seed, 7);
  assert.deepEqual([...options.parts], ["caption", "run", "restart", "link", "editor", "rules", "controls"]);
  const { autoplay, pace, theme, lang, origin } = options;
  assert.deepEqual(
    { autoplay, pace, theme, lang, origin },
    {
      autoplay: true,
      pace: null,
      theme: "dark",
      lang: "en-GB",
      origin: "https://example.org",
    },
  );
});

test("without parameters an embed shows the usual parts of the default run and waits for a click", async () => {
  const options = await read("?lab=control");
  assert.deepEqual(options.problems, []);
  assert.deepEqual([...options.parts], Object.keys({ ...USUAL_PARTS, ...LINKED_PARTS }));
  assert.deepEqual(options.request?.settings, {});
  const { autoplay, pace, theme, lang, origin } = options;
  assert.deepEqual(
    { autoplay, pace, theme, lang, origin },
    {
      autoplay: false,
      pace: undefined,
      theme: null,
      lang: "en",
      origin: null,
    },
  );
});

test("`all` hides or shows every part of the frame, and `show` counts where both name a part", async () => {
  const linked = Object.keys(LINKED_PARTS);
  assert.deepEqual([...(await read("?lab=cube&hide=all")).parts], linked);
  assert.deepEqual([...(await read("?lab=cube&hide=all&show=run")).parts], [...linked, "run"]);
  const all = Object.keys({ ...USUAL_PARTS, ...LINKED_PARTS, ...MORE_PARTS });
  assert.deepEqual([...(await read("?lab=cube&show=all")).parts], all);
});

test("the editor or the rules of a world are hidden by a parameter or by the link", async () => {
  const hidden = async (search: string, hash = "") => {
    const { request, problems } = await read(search, hash);
    return [request?.hide, ...problems];
  };
  const OWN = "#/control?world=own";
  assert.deepEqual(await hidden("?lab=control&preset=own"), [null]);
  assert.deepEqual(await hidden("?lab=control&preset=own&hide=title,editor"), ["editor"]);
  assert.deepEqual(await hidden("?hide=editor,rules", OWN), ["rules"]);
  assert.deepEqual(await hidden("", `${OWN}&hide=editor`), ["editor"]);
  assert.deepEqual(await hidden("?hide=editor", `${OWN}&hide=rules`), ["rules"]);
  assert.deepEqual(await hidden("?hide=rules", `${OWN}&hide=editor`), ["rules"]);
  const [unhidden, lost] = await hidden("?hide=rules", `${OWN}&data=0:AAAA`);
  assert.equal(unhidden, null, "another world than that of the link has nothing to hide");
  assert.match(lost as string, /^The data in this link cannot be read/);
  const wrong = await hidden("", `${OWN}&hide=reward`);
  assert.deepEqual(wrong, [null, "“reward” is not allowed for hide; it takes editor, rules"]);
});

test("the run behind the # counts, without what an embed does not do", async () => {
  const { request, problems } = await read("?autoplay", "#/control?seed=5&worlds=64");
  assert.deepEqual([request?.lab.about.id, request?.seed, request?.settings], ["control", 5, { worlds: 64 }]);
  assert.deepEqual(problems, []);
  const more = await read("?lab=cube&seed=1", "#/control?change=3:clip=0.1&units=9&device=gpu");
  assert.equal(more.request?.lab.about.id, "control");
  assert.deepEqual([more.request?.changes, more.request?.units, more.request?.device], [[], null, null]);
  assert.match(more.problems.join(". "), /so lab is ignored.*so seed is ignored.*ignores change, units, device/);
});

test("an embed starts with the data of the link, and ignores what changes later", async () => {
  const data = { type: "world", name: "Dot", text: "world" };
  const part = await packData([0, 3].map((unit) => ({ unit, settings: {}, seed: null, data })));
  const [, atStart = "", later = ""] = (part ?? "").split("&");
  const start = [{ unit: 0, settings: {}, seed: null, data }];
  const { request, problems } = await read("?autoplay", `#/control?world=own&${atStart}`);
  assert.deepEqual([request?.changes, problems], [start, []]);
  const more = await read("?autoplay", `#/control?world=own&${atStart}&${later}`);
  assert.deepEqual(more.request?.changes, start);
  assert.match(more.problems.join(". "), /ignores change of the link/);
});

test("what cannot be read is left out and reported in one sentence", async () => {
  const cases: [string, RegExp][] = [
    ["?lab=control&preset=nonsense", /Control has no preset called “nonsense”; it has standard, /],
    ["?lab=control&seed=-1", /“-1” is not allowed for seed/],
    ["?lab=control&hide=titel", /“titel” is not allowed for hide; it takes title, /],
    ["?lab=control&show=everything", /“everything” is not allowed for show/],
    ["?lab=control&autoplay=maybe", /“maybe” is not allowed for autoplay/],
    ["?lab=control&speed=warp", /“warp” is not allowed for speed; it takes slow, normal, max/],
    ["?lab=control&speed=toString", /“toString” is not allowed for speed/],
    ["?lab=control&theme=blue", /“blue” is not allowed for theme; it takes light, dark/],
    ["?lab=control&lang=de", /no captions in the language “de”; there are en/],
    ["?lab=control&origin=https://example.org/path", /is not the origin of a page/],
    ["?lab=control&origin=null", /“null” is not the origin of a page/],
    ["?lab=control&origin=javascript:alert(1)", /is not the origin of a page/],
    ["?lab=control&worlds=64", /An embed has no parameter called “worlds”/],
  ];
  for (const [search, expected] of cases) {
    const { request, problems, parts } = await read(search);
    assert.equal(problems.length, 1, search);
    assert.match(problems[0] ?? "", expected, search);
    assert.deepEqual(
      [request?.settings, request?.seed, parts.size],
      [{}, 0, Object.keys({ ...USUAL_PARTS, ...LINKED_PARTS }).length],
      search,
    );
  }
});

test("without a known lab there is nothing to show, and a sentence says which there are", async () => {
  for (const search of ["", "?lab=", "?lab=Logic", "?lab=__proto__"]) {
    const { request, problems } = await read(search);
    assert.equal(request, null, search);
    assert.ok(problems[0]?.includes(LABS.map(({ id }) => id).join(", ")), search);
  }
});

test("addresses are written as they are read", async () => {
  const address = embedAddress({
    lab: "logic",
    preset: "life",
    hide: "title,link",
    autoplay: "",
    origin: "https://a.b",
  });
  assert.equal(address, "embed.html?lab=logic&preset=life&hide=title,link&autoplay&origin=https%3A%2F%2Fa.b");
  const options = await read(address.slice(address.indexOf("?")));
  assert.deepEqual(options.problems, []);
  assert.equal(embedAddress({}, "#/cube?seed=3"), "embed.html#/cube?seed=3");
});

test("index.html?embed leads to embed.html with all it says", () => {
  const lead = (search: string, hash = "") => embedOfIndex({ search, hash });
  assert.equal(lead("?embed&hide=title", "#/cube?seed=3"), "embed.html?hide=title#/cube?seed=3");
  assert.equal(lead("?lab=logic&embed=&autoplay"), "embed.html?lab=logic&autoplay");
  assert.equal(lead("?embed"), "embed.html");
  assert.equal(lead("?embedded"), null);
  assert.equal(lead("", "#/cube?embed"), null);
});

test("only messages of embeds are read", () => {
  const metrics = { type: "metrics", lab: "cube", unit: 3, metrics: { solved: 0.5, loss: null } } as const;
  const solved = { type: "solved", lab: "cube", unit: 9, seconds: 1.5 } as const;
  for (const message of [metrics, solved, { type: "ready" } as const])
    assert.deepEqual(readFromEmbed(wrapped(message)), message);
  for (const message of [{ type: "run" } as const, { type: "pause" } as const])
    assert.deepEqual(readToEmbed(wrapped(message)), message);
  const others = [
    null,
    "run",
    [],
    { type: "run" },
    { learnery: "other", type: "run" },
    { learnery: "embed", type: "eval" },
    { learnery: "embed", type: "metrics", lab: "cube", unit: "3", metrics: {} },
    { learnery: "embed", type: "metrics", lab: "cube", unit: 3, metrics: { solved: "<b>" } },
    { learnery: "embed", type: "metrics", lab: "cube", unit: 3, metrics: null },
    { learnery: "embed", type: "solved", lab: "cube", unit: 3 },
  ];
  for (const data of others) {
    assert.equal(readToEmbed(data), null);
    assert.equal(readFromEmbed(data), null);
  }
});

test("snippet of a run with settings of its own has its link", () => {
  const snippet = { site: "https://example.org/", title: "Control", width: 320, height: 240 };
  const run = { parameters: { hide: "title" }, hash: "#/control?seed=5&worlds=64" };
  assert.match(
    writeSnippet({ ...snippet, ...run, kind: "iframe" }),
    / src="https:\/\/example\.org\/embed\.html\?hide=title#\/control\?seed=5&amp;worlds=64"/,
  );
  assert.match(
    writeSnippet({ ...snippet, ...run, kind: "element" }),
    /<learnery-lab hide="title" link="#\/control\?seed=5&amp;worlds=64" /,
  );
});

test("snippets are HTML that any page can hold", () => {
  const snippet = {
    site: "https://example.org/learnery/",
    parameters: { lab: "logic", preset: "life", autoplay: "" },
    hash: "",
    title: `Learnery: "Logic" <&>`,
    width: 640,
    height: 400,
  };
  assert.equal(
    writeSnippet({ ...snippet, kind: "iframe" }),
    '<iframe src="https://example.org/learnery/embed.html?lab=logic&amp;preset=life&amp;autoplay" ' +
      'title="Learnery: &quot;Logic&quot; &lt;&amp;&gt;" loading="lazy" ' +
      'style="width: 640px; max-width: 100%; height: 400px; border: 0"></iframe>',
  );
  assert.equal(
    writeSnippet({ ...snippet, kind: "element", title: "Logic", width: null }),
    '<script async src="https://example.org/learnery/learnery-lab.js"></script>\n' +
      '<learnery-lab lab="logic" preset="life" autoplay title="Logic" ' +
      'style="width: 100%; max-width: 100%; height: 400px"></learnery-lab>',
  );
});
