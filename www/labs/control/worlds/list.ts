// The kinds of worlds that the page can draw, in the order in which a visitor chooses among them.

import { acrobot } from "./acrobot";
import { cartpole } from "./cartpole";
import type { BuiltInWorld, WorldKind } from "./world-kind";
import { mountaincar } from "./mountaincar";
import { pendulum } from "./pendulum";

export const WORLD_KINDS: Record<BuiltInWorld, WorldKind> = { cartpole, mountaincar, pendulum, acrobot };
