# Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

import numpy.typing as npt

from learnery._agent import Answer
from learnery._files import AnyPath

class ControlTools:
    """The tools of the lab `control`."""
    @overload
    def ask(
        self,
        tool: Literal["trace"],
        *,
        world: str = "",
        state: Sequence[float] | npt.NDArray[Any] = (),
        actions: Sequence[float] | npt.NDArray[Any] = (),
        steps: int = 0,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Takes single steps of a world from a given state.

        Args:
            world: The world: cartpole, mountaincar, pendulum, acrobot, or an id of Gymnasium. If it is empty, that of the run.
            state: The state before the first step.
            actions: The action of each step. Those after the end of the episode are not taken.
            steps: Steps already taken in the episode, on which truncation depends.
        """
    @overload
    def ask(
        self,
        tool: Literal["evaluate"],
        *,
        games: int = 100,
        seed: int = 0,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Measures the mean return of episodes in which the most probable action is taken.

        Args:
            games: Episodes to play. More measure the score more precisely.
            seed: Selects the start states.
        """

class BackgammonTools:
    """The tools of the lab `backgammon`."""
    @overload
    def ask(
        self,
        tool: Literal["eval"],
        *,
        position: str = "",
        plies: int = 0,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Says how the game ends from a position, as probabilities of the side on roll.

        Args:
            position: A position ID of GNU Backgammon, optionally with a match ID behind a colon, or an XGID.
            plies: Plies of lookahead.
        """
    @overload
    def ask(
        self,
        tool: Literal["plays"],
        *,
        position: str = "",
        plies: int = 0,
        cube: bool = False,
        also: str = "",
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Lists all plays of a roll with their equities: those with lookahead first, the best on top.

        Args:
            position: An XGID with dice, or `POSITION_ID[:MATCH_ID] D1 D2`, as `4HPwATDgc/ABMA 3 1`.
            plies: Plies of lookahead, counted as by GNU Backgammon: 0 is the network's value alone. Only the candidates, the best plays at 0 plies, get it; the others are listed after them at 0 plies.
            cube: Cubeful equities for money play too, as in the analysis of a match; in a match they always are. A position ID alone then means money play with a centred cube and without the Jacoby rule.
            also: A play that is a candidate in any case, in standard notation; empty for none.
        """
    @overload
    def ask(
        self,
        tool: Literal["cube"],
        *,
        position: str = "",
        plies: int = 0,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Decides about the doubling cube, for money or at a match score.

        Args:
            position: A position before the roll with its stakes: an XGID, or a position ID and a match ID behind a colon. A position ID alone is for money, with the cube in the middle.
            plies: Plies of lookahead.
        """
    @overload
    def ask(
        self,
        tool: Literal["scores"],
        *,
        position: str = "",
        plies: int = 0,
        away: int = 7,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Decides about the doubling cube in one position at every score of a match.

        Args:
            position: A position before the roll: an XGID or a position ID. Its own cube and score do not matter.
            plies: Plies of lookahead.
            away: The most points that a side needs to win the match.
        """
    @overload
    def ask(
        self,
        tool: Literal["rollout"],
        *,
        position: str = "",
        games: int = 1296,
        truncate: int = 0,
        plies: int = 0,
        seed: int = 1,
        keep_luck: bool = False,
        until_error: float = 0.0,
        until_difference: float = 0.0,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Plays many games from a position, or from the positions after its best plays.

        Args:
            position: A position ID or an XGID. With two dice, the plays that are best without lookahead are compared.
            games: Games from each position, unless the rollout ends earlier.
            truncate: Rolls after which the network values the position; 0 plays every game to its end.
            plies: Plies of lookahead of both sides.
            seed: Selects the dice.
            keep_luck: Leaves the luck of the rolls in the results.
            until_error: Ends once the standard error of every equity is below this limit; 0 for no limit.
            until_difference: With dice: ends once the best play is ahead of every other one by this many standard errors; 0 for no limit.
        """
    @overload
    def ask(
        self,
        tool: Literal["analyse"],
        *,
        file: AnyPath = "",
        plies: int = 0,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Judges every play, cube decision and roll of a match that was played.

        Args:
            file: The file of a match: `.mat` or `.sgf`.
            plies: Plies of lookahead, as GNU Backgammon counts them.
        """
    @overload
    def ask(
        self,
        tool: Literal["best"],
        *,
        position: str = "",
        plies: int = 0,
        simulations: int = 0,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Chooses the best play of a roll, for the match if the position has a score.

        Args:
            position: A position and two dice, as the tool `plays` takes them.
            plies: Plies of lookahead; a ply is one dice roll and the reply to it.
            simulations: Chooses by tree search with this many simulations instead of by lookahead; 0 for lookahead. A tree search needs 0 plies and a position without a score.
        """
    @overload
    def ask(
        self,
        tool: Literal["rates"],
        *,
        games: int = 100000,
        seed: int = 1,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Measures how often games of a network end with a gammon or a backgammon.

        Args:
            games: Games of each of the four kinds: for money, and with gammons for one side only at three prices.
            seed: Selects the dice.
        """
    @overload
    def ask(
        self,
        tool: Literal["table"],
        *,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Lists the chance to win a match at every score."""
    @overload
    def ask(
        self,
        tool: Literal["legal-plays"],
        *,
        position: str = "",
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Lists the positions that the legal plays of a roll lead to.

        Args:
            position: A position and two dice, as the tool `plays` takes them.
        """
    @overload
    def ask(
        self,
        tool: Literal["duel"],
        *,
        against: AnyPath = "",
        games: int = 1000,
        plies: int = 0,
        seed: int = 0,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Lets the network play games against another one, in pairs with the same dice and the sides exchanged.

        Args:
            against: The file of the other network: a checkpoint or an exported network.
            games: Number of games. They are played in pairs with the same dice and the sides exchanged, so an odd number is rounded up.
            plies: Plies (dice rolls) of lookahead before each play, for both.
            seed: Selects the dice.
        """
    @overload
    def ask(
        self,
        tool: Literal["match"],
        *,
        against: AnyPath = "",
        length: int = 7,
        plies: int = 0,
        seed: int = 0,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Lets the network play a match with the doubling cube against another one, and writes it as a file.

        Args:
            against: The file of the other network: a checkpoint or an exported network.
            length: Points that win the match. It is played with the doubling cube and the Crawford rule.
            plies: Plies (dice rolls) of lookahead before each play and each decision about the cube, for both.
            seed: Selects the dice.
        """
    @overload
    def ask(
        self,
        tool: Literal["evaluate"],
        *,
        games: int = 1000,
        plies: int = 0,
        simulations: int = 0,
        against: AnyPath = "pubeval",
        luck: Literal["counted", "subtracted"] = "counted",
        seed: int = 0,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Measures the points per game that the network wins against an opponent.

        Args:
            games: Number of games. They are played in pairs with the same dice and the sides exchanged, so an odd number is rounded up.
            plies: Plies (dice rolls) of lookahead before each play; 0 values only the positions after the plays. An opponent that is a network has the same lookahead.
            simulations: Simulations of a tree search before each play; none with 0. Cannot be combined with plies. An opponent that is a network has no tree search.
            against: The opponent: random (random plays), pubeval, or the file of another network.
            luck: Whether the luck of every roll, measured by the network without lookahead, is subtracted from the result. The result that is expected stays the same, and the margin of error becomes smaller, but each game takes longer.
            seed: Selects the dice.
        """

class CubeTools:
    """The tools of the lab `cube`."""
    @overload
    def ask(
        self,
        tool: Literal["solve"],
        *,
        cube: str = "",
        given_by: Literal["scramble", "stickers"] = "scramble",
        beam: int = 0,
        widest: int = 0,
        metric: Literal["quarter", "half", "usual"] = "usual",
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Solves one cube, given by a scramble or by its stickers.

        Args:
            cube: The cube: the turns that scramble a solved one, such as `R U' F2`, or its stickers, 24 or 54 letters, face by face in the order U R F D L B.
            given_by: By what it is given.
            beam: The width of the beam. 0 solves a 2x2x2 greedily, and begins with 1024 for a 3x3x3.
            widest: 3x3x3: the width of the last of wider and wider beams, which look for shorter and shorter solutions. 0 searches with one width only.
            metric: What counts as one turn.
        """
    @overload
    def ask(
        self,
        tool: Literal["eval"],
        *,
        beam: int = 0,
        widest: int = 0,
        sample: int = 0,
        first: int = 0,
        within: int = 14,
        metric: Literal["quarter", "half", "usual"] = "usual",
        seed: int = 0,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Follows the greedy policy from all states of the 2x2x2, or searches from random states of the 3x3x3.

        Args:
            beam: The width of the beam search, the states that it keeps at each depth. 0 does not search from states of the 2x2x2, and is 4096 for the 3x3x3.
            widest: 3x3x3: the width of the last of wider and wider beams, which look for shorter and shorter solutions. 0 searches with one width only.
            sample: Random states to search from; 2x2x2: needs `beam`. 0 is 10000 of the 2x2x2 and 100 of the 3x3x3.
            first: 3x3x3: the number of the first of these states among those of the seed.
            within: 2x2x2: follows the greedy policy from the states that are at most so many turns from solved.
            metric: What counts as one turn.
            seed: Seed of the random states.
        """
    @overload
    def ask(
        self,
        tool: Literal["evaluate"],
        *,
        games: int = 0,
        beam: int = 128,
        seed: int = 0,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Measures how many states the network solves: all of the 2x2x2 greedily, random ones by beam search.

        Args:
            games: Number of random states to solve by beam search; 0 means no search for the 2x2x2, and 10 states for the 3x3x3.
            beam: Beam width: the number of states that the search keeps at each depth.
            seed: Selects the random states.
        """

class LogicTools:
    """The tools of the lab `logic`."""
    @overload
    def ask(
        self,
        tool: Literal["export"],
        *,
        format: Literal["verilog", "json", "wgsl", "c"] = "verilog",
        full: bool = False,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Writes the learned circuit of one cell as Verilog, C, WGSL or JSON.

        Args:
            format: The language.
            full: All gates, also those that can be left out.
        """
    @overload
    def ask(
        self,
        tool: Literal["evaluate"],
        *,
        games: int = 256,
        seed: int = 0,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Counts the wrong cells of the circuit with hard gates, in every test that its task has.

        Args:
            games: Number of random initial states. More find rarer errors. Only for the checkerboards: the pictures have one initial state, and the game of life is tested in all 512 neighbourhoods.
            seed: Selects the random initial states.
        """

class LanguageTools:
    """The tools of the lab `language`."""
    @overload
    def ask(
        self,
        tool: Literal["sample"],
        *,
        prompt: str = "",
        tokens: int = 400,
        temperature: float = 0.8,
        top_k: int = 0,
        seed: int = 0,
        texts: int = 1,
        first: int = 0,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Continues a text with a trained network.

        Args:
            prompt: The text to continue. If it is empty, a text begins after a line break.
            tokens: Tokens to write. A network that was trained on a task stops at the end of the answer.
            temperature: 0 always writes the most probable token, 1 samples in proportion to the probabilities.
            top_k: Samples only among this many of the most probable tokens; 0 for all.
            seed: Seed of the sampling.
            texts: Texts to write.
            first: The number of the first text among those of the seed, each with random numbers of its own.
        """
    @overload
    def ask(
        self,
        tool: Literal["evaluate"],
        *,
        games: int = 0,
        text: AnyPath = "",
        seed: int = 0,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
    ) -> Answer:
        """Measures the bits per byte of held-out text, or how many problems are answered exactly.

        Args:
            games: Problems of a task, or how many times the network's context of bytes of text; 0 for 2,000 problems, 512 times the context of stories, or 256 KiB of a text.
            text: A text to evaluate on, of which only the part that training holds out is used (a tenth, at most 1 MiB). Without one, a network of stories is evaluated on new stories.
            seed: Selects the problems or stories.
        """
