"""Stable-Baselines3's PPO on Learnery's worlds, beside its own.

    pip install stable-baselines3
    python python/examples/sb3_ppo.py --env-id CartPole-v1 --num-envs 16
"""

from __future__ import annotations

import argparse
import time

from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy

import learnery.sb3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--env-id", default="CartPole-v1")
    parser.add_argument("--num-envs", type=int, default=16)
    parser.add_argument("--total-timesteps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--own-worlds", action="store_true", help="use the worlds of Gymnasium, one after the other")
    args = parser.parse_args()
    env = make_vec_env(args.env_id, args.num_envs) if args.own_worlds else learnery.sb3.make(args.env_id, args.num_envs)
    model = PPO("MlpPolicy", env, n_steps=2048 // args.num_envs, seed=args.seed, device="cpu", verbose=0)
    begin = time.monotonic()
    model.learn(args.total_timesteps)
    seconds = time.monotonic() - begin
    # The test is in Gymnasium's own worlds, whichever it has learned in.
    mean, deviation = evaluate_policy(model, make_vec_env(args.env_id, 1, seed=args.seed + 1000), n_eval_episodes=20)
    print(f"{args.total_timesteps} steps in {seconds:.1f} s; mean return {mean:.1f} ± {deviation:.1f} over 20 episodes")


if __name__ == "__main__":
    main()
