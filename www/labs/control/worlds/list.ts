// The kinds of worlds that the page can draw, in the order in which a visitor chooses among them.

import type { World } from "../../../generated/protocol";
import { acrobot } from "./acrobot";
import { cartpole } from "./cartpole";
import type { WorldKind } from "./world-kind";
import { mountaincar } from "./mountaincar";
import { pendulum } from "./pendulum";

export const WORLD_KINDS: Record<World, WorldKind> = { cartpole, mountaincar, pendulum, acrobot };
