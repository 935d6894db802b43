/**
 * The visitor's best score in each world of the lab, for the learning curve; "own" is the world of the open run
 * (own-world/note-score.ts).
 */
export const yourScores = new Map<unknown, number>();
