// Which notice is shown, and how long. One is shown at a time, the newest. A notice that it displaces comes back when
// the newer one has gone, for the rest of its time. But a notice that is pointed at or focused stays, and the newer one
// waits: nothing changes under a finger. It also waits for the end of one that tells of something wrong, unless it does
// so too. Notices about a lab go when another lab is shown.

/** How many seconds a notice is shown. */
export const NOTICE_SECONDS = 5;
/** The same if it has a button, which has to be found too, or tells of something wrong, whose sentences are longer. */
export const OFFER_SECONDS = 12;
/** A displaced notice comes back only if there is time left to read it. */
const MIN_RETURN_SECONDS = 2;
/**
 * At most so many, with the one that is shown. Beyond that, the one that would come back last goes; one that waits for
 * an answer goes only if all others do.
 */
const MAX_NOTICES = 4;

/** Why the time of a notice stands still: it is pointed at, has the focus, or the page is out of sight. */
export type Hold = "pointer" | "focus" | "hidden";

export interface QueuedNotice {
  name: string;
  /** The lab that it is about; null for the page as a whole. */
  lab: string | null;
  /** How long it is shown; infinite if it waits for an answer. */
  seconds: number;
  /** Whether others wait until its time is over, because it tells of something wrong. Its time must be finite. */
  isFirst?: boolean;
  /** What to do when it goes without an answer. */
  gone?: (() => void) | undefined;
}

export class NoticeQueue<Notice extends QueuedNotice> {
  /** The lab in sight; null if there is none. */
  lab: string | null = null;
  /**
   * A stack: the last one is shown, and when it goes, the one before it comes back. `left`: for how many more seconds
   * each is shown.
   */
  #queue: { notice: Notice; left: number }[] = [];
  #shown: Notice | null = null;
  #holds = new Set<Hold>();
  /** The timer of the shown notice, and when it was started. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since = 0;

  /** `draw` shows a notice in place of the one before; null shows none. */
  constructor(readonly draw: (notice: Notice | null) => void) {}

  /** Adds a notice, in place of one of the same name. One about a lab that is not in sight goes at once. */
  add(notice: Notice): void {
    if (notice.lab !== null && notice.lab !== this.lab) {
      this.hide(notice.name);
      notice.gone?.();
      return;
    }
    this.#changeAndTell(() => {
      const gone = this.#take(({ notice: { name } }) => name === notice.name);
      const top = this.#queue.at(-1);
      const isTouched = top?.notice === this.#shown && (this.#holds.has("pointer") || this.#holds.has("focus"));
      const isHeld = isTouched || Boolean(top?.notice.isFirst && !notice.isFirst);
      if (top && !isHeld && top.left < MIN_RETURN_SECONDS) gone.push(...this.#take((each) => each === top));
      this.#queue.splice(this.#queue.length - (isHeld ? 1 : 0), 0, { notice, left: notice.seconds });
      if (this.#queue.length > MAX_NOTICES) {
        const others = this.#queue.slice(0, -1);
        const oldest = others.find(({ left }) => Number.isFinite(left)) ?? others[0];
        gone.push(...this.#take((each) => each === oldest));
      }
      return gone;
    });
  }

  /** Takes a notice away whose question is answered, without calling its `gone`. */
  answer(name: string): void {
    this.#change(() => this.#take(({ notice }) => notice.name === name));
  }

  /** Takes a notice away, if it is there. */
  hide(name: string): void {
    this.#changeAndTell(() => this.#take(({ notice }) => notice.name === name));
  }

  /** Another lab is shown, or none for null. */
  enter(lab: string | null): void {
    this.lab = lab;
    this.#changeAndTell(() => this.#take(({ notice }) => notice.lab !== null && notice.lab !== lab));
  }

  /** Lets the time stand still. */
  hold(reason: Hold): void {
    this.#change(() => this.#holds.add(reason));
  }

  /** Lets the time go on, unless something else holds it. */
  release(reason: Hold): void {
    this.#change(() => this.#holds.delete(reason));
  }

  /** Makes a change, and then calls `gone` of the notices that went with it, which may show or hide others. */
  #changeAndTell(change: () => Notice[]): void {
    let gone: Notice[] = [];
    this.#change(() => (gone = change()));
    for (const notice of gone) notice.gone?.();
  }

  /** Removes entries, and returns their notices. */
  #take(which: (each: { notice: Notice; left: number }) => boolean): Notice[] {
    const taken = this.#queue.filter(which);
    this.#queue = this.#queue.filter((each) => !taken.includes(each));
    return taken.map(({ notice }) => notice);
  }

  /** Stops the time, makes a change, shows the last notice, and lets its time go on. */
  #change(change: () => void): void {
    const before = this.#queue.at(-1);
    if (before && this.#timer !== undefined) before.left -= (Date.now() - this.#since) / 1000;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    change();
    const top = this.#queue.at(-1);
    if (this.#shown !== (top?.notice ?? null)) {
      this.#shown = top?.notice ?? null;
      // The element that was pointed at or had the focus is gone.
      this.#holds.delete("pointer");
      this.#holds.delete("focus");
      this.draw(this.#shown);
    }
    if (!top || !Number.isFinite(top.left) || this.#holds.size > 0) return;
    // Drawing may have removed an element with the focus, whose event has started a timer already.
    clearTimeout(this.#timer);
    this.#since = Date.now();
    this.#timer = setTimeout(() => this.hide(top.notice.name), 1000 * Math.max(0, top.left));
  }
}
