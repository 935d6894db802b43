"""The agent of the language lab."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from learnery import _native
from learnery._agent import Agent
from learnery._checks import as_json, integer
from learnery._tools import LanguageTools

Tokens = Sequence[int] | npt.NDArray[np.integer]


class LanguageAgent(LanguageTools, Agent):  # type: ignore[misc]  # its `ask` is narrower than the general one
    """A transformer that continues text."""

    lab = "language"

    def __init__(self, checkpoint: _native.Checkpoint) -> None:
        super().__init__(checkpoint)
        self._network = _native.LanguageNetwork(checkpoint)

    @property
    def vocabulary(self) -> int:
        """The size of the vocabulary: the number of different tokens."""
        return self._network.vocabulary

    @property
    def context(self) -> int:
        """The context length: the most tokens that the network sees at once."""
        return self._network.context

    def encode(self, text: str) -> npt.NDArray[np.int64]:
        """The tokens of a text, as integers."""
        return self._network.encode(text).astype(np.int64)

    def decode(self, tokens: Tokens) -> str:
        """The text of tokens. Bytes that are not UTF-8, such as half a character, become U+FFFD."""
        return self._network.decode(_tokens(tokens)).decode(errors="replace")

    def logits(self, text: str | Tokens) -> npt.NDArray[np.float32]:
        """The logits of the next token after each token of a text, `[tokens, vocabulary]`."""
        tokens = self.encode(text) if isinstance(text, str) else text
        return self._network.logits(_tokens(tokens))

    def generate(
        self,
        prompt: str = "",
        *,
        tokens: int = 400,
        temperature: float = 0.8,
        top_k: int = 0,
        seed: int = 0,
        number: int = 0,
    ) -> str:
        """Continues a prompt, and returns the prompt with the new text, as `learnery language sample` writes it.

        Ctrl-C raises `KeyboardInterrupt` after the token under way; the text so far is lost.

        Args:
            prompt: The text to continue.
            tokens: The number of new tokens. The answer to a task ends earlier, as soon as it is complete.
            temperature: 0 always takes the most probable token, 1 samples in proportion to the probabilities.
            top_k: Sample only among so many of the most probable tokens; 0 for all.
            seed: The seed of the sampling.
            number: Which of the texts of this seed, from 0. Each has random numbers of its own.
        """
        asked = {
            "prompt": prompt,
            "tokens": tokens,
            "temperature": temperature,
            "top_k": top_k,
            "seed": seed,
            "first": number,
        }
        # The same tool as `self.ask("sample", ...)`, but with the network that is loaded already.
        output, _, interrupted = self._network.sample(as_json("input", asked))
        if interrupted:
            raise KeyboardInterrupt
        text: str = json.loads(output)["texts"][0]["text"]
        return prompt + text


def _tokens(tokens: Tokens) -> list[int]:
    """Tokens as integers, checked to fit into 16 bits."""
    return [integer("a token", token, 0, 2**16 - 1) for token in tokens]
