// What is said of an agent that the visitor has before them and that the open run has not trained, in place of the
// run's story and headline: who it is, and its measured strength. It is a trained network, or the agent of a link's
// sender.

export interface Introduction {
  /** What it is and can do, in a sentence or two. */
  story: string;
  /** Its measured strength. */
  headline: {
    name: string;
    value: string;
    unit: string;
    /** How it was measured, in a sentence. */
    comparison: string;
  };
  /** How the visitor comes back to the agent of the run, or what it does meanwhile, in a sentence. */
  note: string;
}
