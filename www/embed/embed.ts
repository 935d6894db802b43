// The entry point of embed.html, which shows one lab's picture in a frame on a foreign page. It writes nothing into the
// browser's storage. It never reloads to become cross-origin isolated, so it trains on one thread, with the bits of the
// page where the browser can (core/bundle.ts).

import { chooseOneThread, unsupported } from "../core/bundle";
import { el } from "../core/dom";
import { sentence } from "../core/format";
import { ensureKnownLanguage } from "../core/language";
import { listenShortcuts } from "../core/shortcuts";
import { initTheme } from "../core/theme";
import { holdVersion } from "../core/version";
import { LABS } from "../generated/labs";
import { loadEmbedStyles } from "../labs/embed-styles";
import { loadViewModule } from "../labs/manifests";
import { Messenger } from "./messenger";
import { readParameters } from "./parameters";
import { Player } from "./player";

const main = document.querySelector("#main") as HTMLElement;
const options = await readParameters(location.search, location.hash, LABS);
document.documentElement.lang = options.lang;
initTheme(options.theme);
ensureKnownLanguage();
holdVersion();
const problems = options.problems.map(sentence);
const whyUnsupported = unsupported();
if (whyUnsupported) main.replaceChildren(card("This browser cannot run Learnery", [whyUnsupported]));
else if (!options.request) main.replaceChildren(card("This embed cannot be shown", problems));
else {
  const { request } = options;
  const { id } = request.lab.about;
  const [module] = await Promise.all([loadViewModule(id), loadEmbedStyles(id)]);
  const messenger = new Messenger(options.origin);
  const player = new Player({ ...options, request }, module, chooseOneThread());
  const notes = problems.length > 0 && el("p", { class: "embed-problems", role: "status", text: problems.join(" ") });
  main.replaceChildren(...(notes ? [notes] : []), player.element);
  player.begin();
  messenger.listen(player);
  listenShortcuts({ " ": () => player.toggle() });
  Object.assign(globalThis, { learnery: player.run }); // for tests and for the browser's console
}

function card(title: string, sentences: string[]): HTMLElement {
  const paragraphs = sentences.map((text) => el("p", { text }));
  const link = el("a", { href: "./", target: "_blank", rel: "noopener", text: "Open Learnery" });
  return el("div", { class: "card", role: "alert" }, el("h1", { text: title }), ...paragraphs, el("p", {}, link));
}
