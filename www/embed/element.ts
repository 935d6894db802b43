// The custom element `<learnery-lab>`: a lab in a frame, with events and methods. The build makes one script of it,
// learnery-lab.js, which any page loads from the site (vite.config.ts).

import { embedAddress, PARAMETERS, type Parameters } from "./address";
import { readFromEmbed, wrapped, type ToEmbed } from "./messages";

/** The script's folder, which is the site; null in a module, for which `currentScript` is null. */
const SITE =
  document.currentScript instanceof HTMLScriptElement ? new URL("./", document.currentScript.src).href : null;

/** Attributes beside the parameters: the site, and the hash of a link of Learnery in place of lab, preset and seed. */
const OTHER_ATTRIBUTES = ["src", "link"] as const;

const STYLE = `
:host { display: block; width: 100%; max-width: 40rem; height: 25rem; }
:host([hidden]) { display: none; }
iframe { display: block; width: 100%; height: 100%; border: 0; }
`;

class LearneryLab extends HTMLElement {
  static readonly observedAttributes = [...PARAMETERS, ...OTHER_ATTRIBUTES];

  #frame: HTMLIFrameElement | null = null;
  /** Where the frame's page is from. */
  #origin = "";
  /** The last request of the page, so that a frame that is still loading carries it out when it is ready. */
  #asked: ToEmbed | null = null;
  /** Whether a change of attributes waits to be shown. */
  #stale = false;

  connectedCallback(): void {
    addEventListener("message", this.#receive);
    this.#update();
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.#receive);
    this.#frame?.remove();
    this.#frame = null;
  }

  attributeChangedCallback(): void {
    this.#update();
  }

  /** Lets the lab train, as long as it is in sight. */
  run(): void {
    this.#ask({ type: "run" });
  }

  pause(): void {
    this.#ask({ type: "pause" });
  }

  #ask(message: ToEmbed): void {
    this.#asked = message;
    this.#post();
  }

  /** Asks the frame for what was asked for last. Before the frame listens, the message is lost. */
  #post(): void {
    if (this.#asked && this.#origin) this.#frame?.contentWindow?.postMessage(wrapped(this.#asked), this.#origin);
  }

  /** Shows what the attributes say. Several changes at once make one frame. */
  #update(): void {
    if (this.#stale) return;
    this.#stale = true;
    queueMicrotask(() => {
      this.#stale = false;
      if (this.isConnected) this.#show();
    });
  }

  #show(): void {
    const address = this.#address();
    if (address === null) return;
    this.#origin = address.origin;
    this.#frame?.remove();
    const frame = (this.#frame = document.createElement("iframe"));
    frame.src = address.href;
    frame.loading = "lazy";
    frame.title = this.title || `Learnery: ${this.getAttribute("lab") ?? "a lab"}`;
    this.#shadow().append(frame);
  }

  #shadow(): ShadowRoot {
    if (this.shadowRoot) return this.shadowRoot;
    const root = this.attachShadow({ mode: "open" });
    // A style element might be forbidden by the policy of the page.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    return root;
  }

  /** The address of the frame; null, with a sentence on the console, if nothing says where the site is. */
  #address(): URL | null {
    const parameters: Parameters & { origin?: string } = {};
    for (const name of PARAMETERS) {
      const value = this.getAttribute(name);
      if (value !== null) parameters[name] = value;
    }
    // The origin of a page without one, such as a file, is "null". There are no messages then.
    if (origin !== "null") parameters.origin = origin;
    const site = this.getAttribute("src") ?? SITE;
    try {
      return new URL(embedAddress(parameters, this.getAttribute("link") ?? ""), new URL(site ?? "", document.baseURI));
    } catch {
      console.error(`<learnery-lab>: “${site ?? ""}” in src is not the address of a site with Learnery.`);
      return null;
    }
  }

  #receive = ({ data, origin, source }: MessageEvent<unknown>): void => {
    if (origin !== this.#origin || !source || source !== this.#frame?.contentWindow) return;
    const message = readFromEmbed(data);
    if (!message) return;
    if (message.type === "ready") return this.#post();
    const { type, ...detail } = message;
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  };
}

if (!customElements.get("learnery-lab")) customElements.define("learnery-lab", LearneryLab);
