"""Writes tests/golden/nn_*.safetensors: small networks run and trained by PyTorch in double precision, as
golden data.

    pip install torch==2.15.0 safetensors==0.8.0 numpy && python scripts/make_nn_golden.py

Each file holds, under the parameter names of the crate `nn`: the initial parameters (`before/`), a batch
(`x`, targets), the outputs (`logits`, ...) and the loss, its gradients (`grads/`), and the parameters after
three steps of AdamW on that batch with clipping by global norm (`after/`). Weights are [inputs, outputs].
"""

import pathlib

import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn import functional as F

OUT = pathlib.Path(__file__).parent.parent / "tests" / "golden"
ROWS = 6  # examples in a batch
MAX_NORM = 0.5  # gradients are clipped to this global norm


class Stack(nn.Module):
    """A multi-layer perceptron with a linear output layer. Hidden layers have layer norm and ReLU if `norm`
    is true, otherwise tanh."""

    def __init__(self, sizes, norm):
        super().__init__()
        self.dense = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.norm = nn.ModuleList(nn.LayerNorm(b) for b in sizes[1:-1]) if norm else []

    def forward(self, x):
        for i, dense in enumerate(self.dense):
            x = dense(x)
            if i + 1 < len(self.dense):
                x = F.relu(self.norm[i](x)) if self.norm else torch.tanh(x)
        return x

    def named(self, name):
        for i, dense in enumerate(self.dense):
            yield from named_dense(f"{name}/{i}", dense)
            if i < len(self.norm):
                yield from named_norm(f"{name}/{i}", self.norm[i])


class Dueling(Stack):
    """A dueling network (Wang et al. 2016): output 0 is the state's value, the others are the actions'
    advantages."""

    def forward(self, x):
        streams = super().forward(x)
        value, advantage = streams[:, :1], streams[:, 1:]
        return value + advantage - advantage.mean(1, keepdim=True)


class Half(nn.Module):
    """One of the two layers of a residual block: norm, ReLU, dense."""

    def __init__(self, width):
        super().__init__()
        self.norm, self.dense = nn.LayerNorm(width), nn.Linear(width, width)

    def forward(self, x):
        return self.dense(F.relu(self.norm(x)))


class ResNet(nn.Module):
    """A residual network with a policy head and a value head. `policy` and `value` are the layer sizes of the
    heads after the trunk."""

    def __init__(self, inputs, width, blocks, policy, value):
        super().__init__()
        self.entry, self.entry_norm = nn.Linear(inputs, width), nn.LayerNorm(width)
        self.blocks = nn.ModuleList(nn.Sequential(Half(width), Half(width)) for _ in range(blocks))
        self.end = nn.LayerNorm(width)
        self.policy, self.value = Stack([width, *policy], True), Stack([width, *value], True)

    def forward(self, x):
        x = F.relu(self.entry_norm(self.entry(x)))
        for block in self.blocks:
            x = x + block(x)
        x = F.relu(self.end(x))
        return self.policy(x), self.value(x)

    def named(self, name):
        yield from named_dense(f"{name}/entry", self.entry)
        yield from named_norm(f"{name}/entry", self.entry_norm)
        for i, block in enumerate(self.blocks):
            for j, half in enumerate(block):
                yield from named_norm(f"{name}/block{i}/{j}", half.norm)
                yield from named_dense(f"{name}/block{i}/{j}", half.dense)
        yield from named_norm(f"{name}/end", self.end)
        yield from self.policy.named(f"{name}/policy")
        yield from self.value.named(f"{name}/value")


class Block(nn.Module):
    """A pre-norm transformer block: attention and an MLP, each added to the residual stream."""

    def __init__(self, width, heads, rotary):
        super().__init__()
        self.heads, self.rotary = heads, rotary
        self.attention, self.mlp = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.mix = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        n, t, width = x.shape
        q, k, v = (part.view(n, t, self.heads, -1).transpose(1, 2) for part in self.qkv(self.attention(x)).split(width, 2))
        if self.rotary:
            # The pairs of features that are rotated in each head. A pair has two features, so together they
            # are half of the head's.
            pairs = q.shape[-1] // 4
            # Half of each query and key gets rotary positions. The other half has no positions; for keys it
            # is taken from the previous token (token shift), which helps induction heads to form. The first
            # token keeps its own.
            shifted = torch.cat([k[..., :1, 2 * pairs :], k[..., :-1, 2 * pairs :]], -2)
            q = torch.cat([rotated(q[..., : 2 * pairs]), q[..., 2 * pairs :]], -1)
            k = torch.cat([rotated(k[..., : 2 * pairs]), shifted], -1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.mix(y.transpose(1, 2).reshape(n, t, width))
        return x + self.down(F.gelu(self.up(self.mlp(x)), approximate="tanh"))

    def named(self, name):
        yield from named_norm(f"{name}/attention", self.attention)
        yield from named_dense(f"{name}/qkv", self.qkv)
        yield from named_dense(f"{name}/mix", self.mix)
        yield from named_norm(f"{name}/mlp", self.mlp)
        yield from named_dense(f"{name}/up", self.up)
        yield from named_dense(f"{name}/down", self.down)


def rotated(x):
    """Rotary position embedding (Su et al. 2021) with base 1000. A pair is feature i of the first half and
    feature i of the second."""
    rows, pairs = x.shape[-2], x.shape[-1] // 2
    angles = torch.arange(rows)[:, None] * 1_000.0 ** (-torch.arange(pairs) / pairs)
    a, b = x[..., :pairs], x[..., pairs:]
    return torch.cat([a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()], -1)


class Transformer(nn.Module):
    """A decoder-only transformer whose output projection is the transposed token embedding."""

    def __init__(self, vocabulary, context, width, layers, heads, rotary):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(context, width)
        self.blocks = nn.ModuleList(Block(width, heads, rotary) for _ in range(layers))
        self.end = nn.LayerNorm(width)

    def forward(self, tokens):
        x = self.tokens(tokens) + self.positions.weight[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.end(x) @ self.tokens.weight.t()

    def named(self, name):
        yield f"{name}/tokens", self.tokens.weight
        yield f"{name}/positions", self.positions.weight
        for i, block in enumerate(self.blocks):
            yield from block.named(f"{name}/block{i}")
        yield from named_norm(f"{name}/end", self.end)


def named_dense(name, dense):
    yield f"{name}/weight", dense.weight
    yield f"{name}/bias", dense.bias


def named_norm(name, norm):
    yield f"{name}/gamma", norm.weight
    yield f"{name}/beta", norm.bias


def write(file, net, batch, loss_of):
    """Runs and trains `net` on `batch` and writes the golden file. `loss_of` returns the outputs by name, and
    the loss."""
    with torch.no_grad():
        for name, p in net.named("net"):
            # Initial biases of 0 and gains of 1 would hide errors, so they are perturbed.
            if name.endswith(("bias", "gamma", "beta")):
                p.add_(0.2 * torch.randn_like(p))
    tensors = dict(batch)

    # Stores copies, because an optimiser step changes parameters in place. `part` selects the parameter or
    # its gradient.
    def take(prefix, part):
        for name, p in net.named("net"):
            value = part(p).detach().clone()
            tensors[f"{prefix}/{name}"] = value.t() if name.endswith("weight") else value

    take("before", lambda p: p)
    optimiser = torch.optim.AdamW(net.parameters(), lr=0.01, betas=(0.9, 0.99), eps=1e-6, weight_decay=0.1)
    for step in range(3):
        optimiser.zero_grad()
        answers, loss = loss_of(net)
        loss.backward()
        if step == 0:
            tensors.update(answers, loss=loss.reshape(1))
            take("grads", lambda p: p.grad)
        norm = nn.utils.clip_grad_norm_(net.parameters(), MAX_NORM)
        assert norm > MAX_NORM, "nothing was clipped"
        optimiser.step()
    take("after", lambda p: p)
    as_floats = {name: t.detach().to(torch.float32).contiguous() for name, t in tensors.items()}
    save_file(as_floats, OUT / f"nn_{file}.safetensors")


def main():
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(7)

    net = ResNet(inputs=11, width=16, blocks=2, policy=[12, 10, 21], value=[9, 5])
    x, mask = torch.randn(ROWS, 11), torch.rand(ROWS, 21) < 0.4
    mask[:, 0] = True
    policy = torch.rand(ROWS, 21) * mask
    policy /= policy.sum(1, keepdim=True)
    outcomes = torch.rand(ROWS, 5)

    def alphazero(net):
        logits, value = net(x)
        masked = logits.masked_fill(~mask, -torch.inf)
        log_p = masked.log_softmax(1).masked_fill(~mask, 0.0)
        loss = -(policy * log_p).sum() / ROWS
        loss = loss + F.binary_cross_entropy_with_logits(value, outcomes, reduction="sum") / ROWS
        return dict(logits=logits, p=masked.softmax(1), value=value.sigmoid()), loss

    batch = dict(x=x, mask=mask.to(torch.float64), policy=policy, outcomes=outcomes)
    write("resnet", net, batch, alphazero)

    net = Dueling([14, 12, 8, 1 + 9], True)
    x, actions, targets = torch.randn(ROWS, 14), torch.randint(0, 9, (ROWS,)), 2 * torch.randn(ROWS)

    # The factors 4 and 2 of the next two losses have no meaning of their own: they test that a loss can be
    # scaled.
    def q_learning(net):
        q = net(x)
        chosen = q.gather(1, actions[:, None])[:, 0]
        return dict(q=q), 4 * F.huber_loss(chosen, targets, delta=0.8)

    write("dueling", net, dict(x=x, actions=actions.to(torch.float64), targets=targets), q_learning)

    net = Stack([4, 16, 16, 2], False)
    x, targets = torch.randn(ROWS, 4), torch.randn(ROWS, 2)

    def regression(net):
        y = net(x)
        return dict(y=y), 2 * F.mse_loss(y, targets)

    write("mlp", net, dict(x=x, targets=targets), regression)

    for file, rotary in [("transformer", False), ("rotary", True)]:
        net = Transformer(vocabulary=13, context=10, width=16, layers=2, heads=2, rotary=rotary)
        inputs, targets = torch.randint(0, 13, (3, 8)), torch.randint(0, 13, (3, 8))
        targets[:, 2] = -100

        def next_token(net):
            logits = net(inputs)
            return dict(logits=logits), F.cross_entropy(logits.flatten(0, 1), targets.flatten())

        # Positions without a target have a negative number: -100 is PyTorch's default of ignored targets.
        batch = dict(inputs=inputs.to(torch.float64), targets=targets.to(torch.float64))
        write(file, net, batch, next_token)


if __name__ == "__main__":
    main()
