// The dialogs that the buttons below the board open: the trainer, the rules, and the openings. Each is loaded then.

import type { BundleChoice } from "../../core/bundle";
import { OneDialog } from "./one-dialog";
import type { SetUp } from "./set-up/xgid";

interface GameDialogsOptions {
  bundle: BundleChoice;
  /** Shows what went wrong; an empty text removes it. */
  showProblem: (problem: string) => void;
  /** Opens the dialog in which a position is set up. */
  setUp: (setUp: SetUp) => void;
}

export class GameDialogs {
  #dialog = new OneDialog();

  constructor(readonly options: GameDialogsOptions) {}

  openTrainer(): Promise<void> {
    return this.#open("trainer", async () => {
      const { openTrainer } = await import("./trainer/trainer");
      return () => openTrainer(this.options.bundle);
    });
  }

  openRules(): Promise<void> {
    return this.#open("rules", async () => (await import("./rules")).openRules);
  }

  openOpenings(): Promise<void> {
    return this.#open("table", async () => {
      const { loadOpenings } = await import("./openings/dialog");
      return loadOpenings(this.options.setUp);
    });
  }

  destroy(): void {
    this.#dialog.destroy();
  }

  async #open(name: string, load: () => Promise<() => HTMLDialogElement>): Promise<void> {
    const opened = await this.#dialog.open(load);
    this.options.showProblem(opened ? "" : `The ${name} could not be loaded. Check the network connection.`);
  }
}
