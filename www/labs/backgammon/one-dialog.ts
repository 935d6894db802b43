// The place of a dialog whose code is loaded when it is opened. It holds one dialog at a time and closes it with the
// picture.

export class OneDialog {
  #dialog: HTMLDialogElement | null = null;
  #loading = false;
  #destroyed = false;

  /**
   * Opens a dialog, unless one is open or being loaded. `load` loads its code and returns the function that opens it.
   * The result is false if the code could not be loaded.
   */
  async open(load: () => Promise<() => HTMLDialogElement>): Promise<boolean> {
    if (this.#loading || this.#dialog?.open) return true;
    this.#loading = true;
    const show = await load().catch(() => null);
    this.#loading = false;
    if (!this.#destroyed && show) this.#dialog = show();
    return this.#destroyed || show !== null;
  }

  destroy(): void {
    this.#destroyed = true;
    this.#dialog?.close();
  }
}
