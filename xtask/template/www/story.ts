// The story of a run in one sentence.

import type { Story } from "../../ui/story";

export const story: Story = ({ last, solved, lost }) => {
  const won = last("winRate");
  if (Number.isNaN(won)) return null;
  const percent = `${Math.round(100 * won)}%`;
  if (lost) return `It has lost what it had learned: it wins ${percent} of its pulls.`;
  if (solved) return `Solved: it wins ${percent} of its pulls.`;
  return `It wins ${percent} of its pulls.`;
};
