// Runs that learn a world of the visitor's own: which world a new run gets, the editor that starts one, and the
// picture. Everything else about such worlds is loaded when it is wanted.

import { el } from "../../core/dom";
import type { HiddenPart, Settings } from "../../core/link";
import { firstSettingsWith } from "../../core/presets";
import type { Run } from "../../core/run";
import type { ControlView, JsonValue, World } from "../../generated/protocol";
import type { WorldCommand } from "./own-world/learned-world";
import type { RunPicture } from "./own-world/run-picture";

const NO_EDITOR_TEXT = "The editor could not be loaded. Check the network connection.";

/** What the lab's view shows of a world. */
export interface WorldPicture {
  readonly world: World;
  readonly parts: HTMLElement[];
  /** A run of this world was opened. */
  begin(): void;
  draw(view: ControlView, seconds: number): void;
  celebrate(): void;
  describe(): string;
  destroy(): void;
}

/** What the editor opens: a part `show=` of a link, or a world; without both the text that was open last. */
interface ToEdit {
  shown?: string | null;
  world?: WorldCommand | null;
}

export class OwnRun {
  /** The world that the open run learns, or that the next one is to learn; null if there is none. */
  #world: WorldCommand | null = null;
  /** Counts the changes of the run's world, because it is found out later. */
  #changes = 0;
  /** What the page's link hides (see `LabView.hide`). */
  hidden: HiddenPart | null = null;
  #isLeft = false;
  #unsubscribe: () => void;
  /** Closes the editor, once it is loaded. */
  #closeEditor: () => void = () => {};

  constructor(
    readonly run: Run,
    readonly restart: (settings: Settings) => void,
    readonly showProblem: (problem: string) => void,
  ) {
    this.#unsubscribe = run.on("configured", () => this.opened());
  }

  /** The lab is left. */
  destroy(): void {
    this.#changes++;
    this.#isLeft = true;
    this.#unsubscribe();
    this.#closeEditor();
  }

  get #isOpen(): boolean {
    return this.run.settings["world"] === "own";
  }

  /**
   * Called when a run is opened and when it gets another world: finds out which, for the next run. A run that a link or
   * `restart` is about to give its world has none yet.
   */
  opened(): void {
    const change = ++this.#changes;
    if (!this.#isOpen) return;
    const find = async () => {
      const { learnedWorld } = await import("./own-world/learned-world");
      if (change !== this.#changes) return;
      const world = await learnedWorld(this.run);
      if (change === this.#changes) this.#world = world;
    };
    find().catch(() => {}); // without a network, the world of the run before stays
  }

  /** The command that gives a new run with these settings its world; null if there is none. */
  dataOfNewRun(settings: Settings): JsonValue | null {
    return settings["world"] === "own" ? this.#world : null;
  }

  /** Opens the editor with the world of the run, or with the text that was open last. */
  edit(): void {
    this.openEditor({ world: this.#isOpen ? this.#world : null });
  }

  openEditor({ shown = null, world = null }: ToEdit): void {
    const open = (dialog: typeof import("./own-world/editor-dialog")) => {
      if (this.#isLeft) return;
      this.#closeEditor = dialog.closeOwnWorld;
      void dialog.openOwnWorld(shown, world, (trained) => this.#train(trained), this.hidden);
    };
    import("./own-world/editor-dialog").then(open, () => !this.#isLeft && this.showProblem(NO_EDITOR_TEXT));
  }

  /** Says that the world of the link cannot be read. */
  refuse(): void {
    const open = ({ openRefusal, closeRefusal, UNREADABLE }: typeof import("./own-world/refusal")) => {
      if (this.#isLeft) return;
      this.#closeEditor = closeRefusal;
      openRefusal("The world of this link", UNREADABLE);
    };
    import("./own-world/refusal").then(open, () => !this.#isLeft && this.showProblem(NO_EDITOR_TEXT));
  }

  /** Starts a run that learns this world. */
  #train(world: WorldCommand): void {
    const { run } = this;
    if (!run.lab) return;
    this.#world = world;
    this.restart(firstSettingsWith(run.lab, "world", "own"));
  }

  /** The picture of such a run, whose parts are added to `place` once they are loaded. */
  picture(place: HTMLElement): WorldPicture {
    let picture: RunPicture | null = null;
    let isDestroyed = false;
    const loading = el("div", { class: "stage own-run-loading" }, el("p", { class: "quiet", text: "Loading …" }));
    const setParameters: RunPicture["actions"]["setParameters"] = (parameters, values) => {
      const world = this.#world;
      if (!world) return false;
      void import("./own-world/learned-world").then(({ withParameters }) =>
        this.run.command(withParameters(world, parameters, values)),
      );
      return true;
    };
    import("./own-world/run-picture").then(
      ({ RunPicture }) => {
        if (isDestroyed) return;
        const text = () => (this.hidden === "rules" ? null : (this.#world?.text ?? null));
        picture = new RunPicture(this.run, { setParameters, edit: () => this.edit(), hidden: () => this.hidden, text });
        loading.remove();
        place.append(...picture.parts);
        picture.begin();
      },
      () => loading.replaceChildren(el("p", { text: "The picture could not be loaded. Reload the page." })),
    );
    return {
      world: "own",
      parts: [loading],
      begin: () => picture?.begin(),
      draw: (view, seconds) => picture?.draw(view, seconds),
      celebrate: () => {},
      describe: () => picture?.describe() ?? "",
      destroy: () => {
        isDestroyed = true;
        loading.remove();
        picture?.destroy();
      },
    };
  }
}
