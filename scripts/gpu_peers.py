#!/usr/bin/env python3
"""Runs the same work in Learnery, PyTorch and JAX on this machine's GPU, and prints the rates with their
ratios.

usage: gpu_peers.py [--learnery PROGRAM] [--only PART ...] [--json FILE]

PROGRAM is the command line, target/release/learnery by default. PART is matmul, language or control; all by
default. matmul and language need PyTorch with CUDA, control needs JAX with CUDA; a part whose package is
missing is left out. The peers:

  matmul    products of square matrices by torch.matmul, which calls cuBLAS: f32, TF32, f16
  language  training of a transformer with the shapes and batches of the presets `a` and `gpu`, in PyTorch
            with its own attention and fused AdamW: eager and compiled; f32, TF32, bfloat16
  control   PPO on CartPole in JAX, the whole iteration compiled as one program: as many worlds, steps, epochs,
            minibatches and neurons as `learnery bench --device gpu control` has, with products in full f32; and the
            steps of the worlds alone, which draw more random numbers than ours do

A figure of a peer is the best of three repetitions after a warm-up. Ours are as `learnery bench --device gpu
--json` measures them: for training the mean of one series of updates.
"""

import argparse
import json
import subprocess
import sys
import time

# Shapes of the language lab's presets: width, blocks, heads, tokens of a sequence, sequences of a batch,
# vocabulary.
PRESETS = {"a": (256, 4, 8, 128, 32, 256), "gpu": (512, 7, 8, 512, 32, 4096)}

# The PPO row of `learnery bench --device gpu control`, and its row of worlds that are stepped without
# learning.
WORLDS, HORIZON, EPOCHS, MINIBATCHES, HIDDEN = 16_384, 64, 4, 16, 64
RAW_WORLDS, RAW_STEPS = 262_144, 1024

# Floating-point operations of one repetition of products.
OPERATIONS = 6e11


def best_seconds(run, synchronise, repetitions=3):
    """The least time of a few calls of `run`, after one that warms up."""
    run()
    synchronise()
    best = float("inf")
    for _ in range(repetitions):
        begin = time.perf_counter()
        run()
        synchronise()
        best = min(best, time.perf_counter() - begin)
    return best


def matmul():
    import torch

    def rate(n, kind, tf32):
        torch.backends.cuda.matmul.allow_tf32 = tf32
        a, b = (torch.randn(n, n, device="cuda", dtype=kind) for _ in range(2))
        out = torch.empty_like(a)
        count = max(4, int(OPERATIONS / (2 * n**3)))
        torch.matmul(a, b, out=out)
        torch.cuda.synchronize()
        # One launch for all products, as ours are one submission: launching takes longer than a small
        # product.
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(count):
                torch.matmul(a, b, out=out)
        return 2 * n**3 * count / best_seconds(graph.replay, torch.cuda.synchronize)

    for n in [1024, 2048, 4096]:
        yield f"matmul/{n}", "cuBLAS f32", rate(n, torch.float32, False), "FLOP/s"
        yield f"matmul/{n}", "cuBLAS TF32", rate(n, torch.float32, True), "FLOP/s"
        yield f"matmul-f16/{n}", "cuBLAS f16", rate(n, torch.float16, False), "FLOP/s"


def language():
    import torch
    from torch import nn
    from torch.nn import functional

    class Block(nn.Module):
        def __init__(self, width, heads):
            super().__init__()
            self.heads = heads
            self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
            self.qkv, self.output = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x):
            batch, length, width = x.shape
            parts = self.qkv(self.norms[0](x)).view(batch, length, 3, self.heads, width // self.heads)
            q, k, v = parts.permute(2, 0, 3, 1, 4)
            attended = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.output(attended.transpose(1, 2).reshape(batch, length, width))
            return x + self.down(functional.gelu(self.up(self.norms[1](x)), approximate="tanh"))

    class Model(nn.Module):
        def __init__(self, width, blocks, heads, length, vocabulary):
            super().__init__()
            self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
            self.blocks = nn.ModuleList(Block(width, heads) for _ in range(blocks))
            self.norm = nn.LayerNorm(width)

        def forward(self, inputs, targets):
            x = self.tokens(inputs) + self.places.weight
            for block in self.blocks:
                x = block(x)
            logits = self.norm(x) @ self.tokens.weight.T
            return functional.cross_entropy(logits.flatten(0, 1).float(), targets.flatten())

    def rate(preset, tf32=False, bf16=False, compiled=False):
        width, blocks, heads, length, batch, vocabulary = PRESETS[preset]
        torch.manual_seed(1)
        torch.backends.cuda.matmul.allow_tf32 = tf32
        model = Model(width, blocks, heads, length, vocabulary).cuda()
        optimiser = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
        called = torch.compile(model) if compiled else model
        tokens = torch.randint(vocabulary, (batch, length + 1), device="cuda")
        inputs, targets = tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous()

        def update():
            with torch.autocast("cuda", torch.bfloat16, enabled=bf16):
                loss = called(inputs, targets)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()

        updates = 10
        return updates * batch * length / best_seconds(
            lambda: [update() for _ in range(updates)], torch.cuda.synchronize
        )

    for preset in PRESETS:
        row = f"language/{preset}"
        yield row, "PyTorch f32", rate(preset), "tokens/s"
        yield row, "PyTorch TF32", rate(preset, tf32=True), "tokens/s"
        yield f"language-f16/{preset}", "PyTorch bf16", rate(preset, bf16=True), "tokens/s"
        try:
            compiled = rate(preset, compiled=True)
            compiled_bf16 = rate(preset, bf16=True, compiled=True)
        except Exception as error:  # the compiler needs a C compiler and Triton
            print(f"torch.compile failed: {error}", file=sys.stderr)
            continue
        yield row, "PyTorch f32 compiled", compiled, "tokens/s"
        yield f"language-f16/{preset}", "PyTorch bf16 compiled", compiled_bf16, "tokens/s"


def control():
    import jax
    import jax.numpy as jnp
    from jax import lax, random

    jax.config.update("jax_default_matmul_precision", "highest")

    def step_world(state, action):
        """CartPole-v1 of Gymnasium: Euler steps of 0.02 s."""
        x, v, angle, spin = jnp.moveaxis(state, -1, 0)
        force = jnp.where(action == 1, 10.0, -10.0)
        sine, cosine = jnp.sin(angle), jnp.cos(angle)
        push = (force + 0.05 * spin * spin * sine) / 1.1
        turn = (9.8 * sine - cosine * push) / (0.5 * (4.0 / 3.0 - 0.1 * cosine * cosine / 1.1))
        speed = push - 0.05 * turn * cosine / 1.1
        state = jnp.stack([x + 0.02 * v, v + 0.02 * speed, angle + 0.02 * spin, spin + 0.02 * turn], -1)
        return state, (jnp.abs(state[..., 0]) > 2.4) | (jnp.abs(state[..., 2]) > 0.2095)

    def advance(state, count, action, key):
        after, fell = step_world(state, action)
        count = count + 1
        ended = fell | (count >= 500)
        fresh = random.uniform(key, state.shape, minval=-0.05, maxval=0.05)
        return jnp.where(ended[:, None], fresh, after), jnp.where(ended, 0, count), fell, ended

    def raw(carry):
        """RAW_STEPS steps of all worlds with random actions."""

        def one(carry, _):
            state, count, key = carry
            key, action_key, start_key = random.split(key, 3)
            action = random.bits(action_key, count.shape) & 1
            state, count, _, ended = advance(state, count, action, start_key)
            return (state, count, key), ended.sum()

        return lax.scan(one, carry, None, RAW_STEPS)

    def network(key, outputs):
        keys = random.split(key, 3)
        sizes = [4, HIDDEN, HIDDEN, outputs]
        return [
            (random.normal(k, (a, b)) / a**0.5, jnp.zeros(b)) for k, a, b in zip(keys, sizes[:-1], sizes[1:])
        ]

    def apply(layers, x):
        for weights, bias in layers[:-1]:
            x = jnp.tanh(x @ weights + bias)
        return x @ layers[-1][0] + layers[-1][1]

    def loss(parameters, batch):
        observations, actions, old, advantages, returns = batch
        log_p = jax.nn.log_softmax(apply(parameters[0], observations))
        chosen = jnp.take_along_axis(log_p, actions[:, None], 1)[:, 0]
        ratio = jnp.exp(chosen - old)
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        policy = -jnp.minimum(ratio * advantages, jnp.clip(ratio, 0.8, 1.2) * advantages).mean()
        value = jnp.square(apply(parameters[1], observations)[:, 0] - returns).mean()
        entropy = -(jnp.exp(log_p) * log_p).sum(1).mean()
        return policy + 0.5 * value - 0.01 * entropy

    def iteration(carry):
        """One training iteration of PPO. `first` and `second` are Adam's moments, `steps` its updates so far,
        `state` and `count` the states of the worlds and the steps of their episodes."""
        parameters, first, second, steps, state, count, key = carry

        def act(carry, _):
            state, count, key = carry
            key, action_key, start_key = random.split(key, 3)
            log_p = jax.nn.log_softmax(apply(parameters[0], state))
            action = random.categorical(action_key, log_p)
            chosen = jnp.take_along_axis(log_p, action[:, None], 1)[:, 0]
            value = apply(parameters[1], state)[:, 0]
            after, count, fell, ended = advance(state, count, action, start_key)
            return (after, count, key), (state, action, chosen, value, fell, ended)

        (state, count, key), (observations, actions, old, values, fell, ended) = lax.scan(
            act, (state, count, key), None, HORIZON
        )
        last = apply(parameters[1], state)[:, 0]

        def back(carry, now):
            advantage, after = carry
            value, fell, ended = now
            delta = 1.0 + 0.99 * jnp.where(fell, 0.0, after) - value
            advantage = delta + 0.99 * 0.95 * jnp.where(ended, 0.0, advantage)
            return (advantage, value), advantage

        _, advantages = lax.scan(back, (jnp.zeros(WORLDS), last), (values, fell, ended), reverse=True)
        samples = WORLDS * HORIZON
        flat = [
            observations.reshape(samples, 4),
            *(x.reshape(samples) for x in (actions, old, advantages, advantages + values)),
        ]

        def learn(carry, rows):
            parameters, first, second, steps = carry
            gradient = jax.grad(loss)(parameters, [x[rows] for x in flat])
            norm = jnp.sqrt(sum(jnp.square(g).sum() for g in jax.tree.leaves(gradient)))
            gradient = jax.tree.map(lambda g: g * jnp.minimum(1.0, 0.5 / (norm + 1e-6)), gradient)
            steps = steps + 1
            first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradient)
            second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradient)
            rate = 3e-4 * jnp.sqrt(1 - 0.999**steps) / (1 - 0.9**steps)
            parameters = jax.tree.map(
                lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), parameters, first, second
            )
            return (parameters, first, second, steps), norm

        def epoch(carry, key):
            return lax.scan(learn, carry, random.permutation(key, samples).reshape(MINIBATCHES, -1))

        key, *keys = random.split(key, 1 + EPOCHS)
        (parameters, first, second, steps), _ = lax.scan(
            epoch, (parameters, first, second, steps), jnp.stack(keys)
        )
        return parameters, first, second, steps, state, count, key

    key = random.key(1)
    state = random.uniform(key, (RAW_WORLDS, 4), minval=-0.05, maxval=0.05)
    compiled = jax.jit(raw)
    start = (state, jnp.zeros(RAW_WORLDS, jnp.int32), key)
    seconds = best_seconds(lambda: jax.block_until_ready(compiled(start)), lambda: None)
    yield "control/raw/cartpole", "JAX compiled", RAW_WORLDS * RAW_STEPS / seconds, "steps/s"

    parameters = [network(key, 2), network(random.fold_in(key, 1), 1)]
    zeros = jax.tree.map(jnp.zeros_like, parameters)
    carry = (parameters, zeros, zeros, jnp.float32(0), state[:WORLDS], jnp.zeros(WORLDS, jnp.int32), key)
    compiled = jax.jit(iteration)

    def iterations():
        now = carry
        for _ in range(10):
            now = compiled(now)
        jax.block_until_ready(now)

    seconds = best_seconds(iterations, lambda: None)
    yield "control/ppo/cartpole", "JAX compiled", 10 * WORLDS * HORIZON / seconds, "steps/s"


PARTS = {"matmul": matmul, "language": language, "control": control}


def ours(program, parts):
    """Our figures by the names of the rows: the fastest tiling of a product, training with AdamW as the peers
    do."""
    command = [program, "bench", "--device", "gpu", "--json", *parts]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    rows = {}
    for line in map(json.loads, lines):
        name = line.get("name", "").split("/")
        value = line.get("value")
        if name[0] != "gpu" or value is None:
            continue
        if name[1] in ("matmul", "matmul-f16") and len(name) > 3:
            row = "/".join(name[1:3])
        elif name[1] in ("language-adamw", "language-adamw-f16") and len(name) == 3:
            row = f"{name[1].replace('-adamw', '')}/{name[2]}"
        elif name[1] == "control" and len(name) == 4:
            row = "/".join(name[1:])
        else:
            continue
        rows[row] = max(rows.get(row, 0.0), value)
    return rows


def scaled(value, unit):
    for factor, prefix in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")]:
        if value >= factor:
            return f"{value / factor:.3g} {prefix}{unit}"
    return f"{value:.3g} {unit}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learnery", metavar="PROGRAM", default="target/release/learnery")
    parser.add_argument("--only", metavar="PART", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    our_rows = ours(arguments.learnery, arguments.only)
    results = []
    print("| work | ours | peer | | ours / peer |\n|---|---|---|---|---|", flush=True)
    for part in arguments.only:
        try:
            for row, peer, value, unit in PARTS[part]():
                mine = our_rows.get(row)
                results.append({"row": row, "ours": mine, "peer": peer, "value": value, "unit": unit})
                ratio = f"{mine / value:.2f}" if mine else ""
                shown = scaled(mine, unit) if mine else ""
                print(f"| {row} | {shown} | {peer} | {scaled(value, unit)} | {ratio} |", flush=True)
        except ImportError as error:
            print(f"{part}: {error}; left out", file=sys.stderr)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
