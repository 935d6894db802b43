// The worlds the page can draw, in the order of the choice.

import type { World } from "../../../generated/protocol";
import { acrobot } from "./acrobot";
import { cartpole } from "./cartpole";
import type { WorldKind } from "./world-kind";
import { mountaincar } from "./mountaincar";
import { pendulum } from "./pendulum";

export const KINDS: Record<World, WorldKind> = { cartpole, mountaincar, pendulum, acrobot };
