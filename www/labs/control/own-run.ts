// Runs that learn a world of the visitor's own: which world a new run gets, the editor that starts one, and the picture.
// Everything else about such worlds is loaded when it is wanted.

import { el } from "../../core/dom";
import type { Settings } from "../../core/link";
import { firstSettingsWith } from "../../core/presets";
import type { Run } from "../../core/run";
import type { ControlView, JsonValue, World } from "../../generated/protocol";
import type { WorldCommand } from "./own-world/learned-world";
import type { RunPicture } from "./own-world/run-picture";

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

  constructor(
    readonly run: Run,
    readonly restart: (settings: Settings) => void,
  ) {
    run.on("configured", () => this.opened());
  }

  get #isOpen(): boolean {
    return this.run.settings["world"] === "own";
  }

  /**
   * A run was opened, or has another world: finds out which, for the next run. A run that is to get its world, as the
   * first change of a link or of `restart`, has none yet.
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
    void import("./own-world/editor-dialog").then((dialog) =>
      dialog.openOwnWorld(shown, world, (trained) => this.#train(trained)),
    );
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
      if (!world) return;
      void import("./own-world/learned-world").then(({ withParameters }) =>
        this.run.command(withParameters(world, parameters, values)),
      );
    };
    import("./own-world/run-picture").then(
      ({ RunPicture }) => {
        if (isDestroyed) return;
        picture = new RunPicture(this.run, { setParameters, edit: () => this.edit() });
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
