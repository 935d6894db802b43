"""Steps our worlds beside Gymnasium's `SyncVectorEnv` from equal states, in every autoreset mode.

Gymnasium computes with double precision and ours with single precision. Two trajectories of a chaotic world drift apart,
so each step starts from our state. What is compared: every number of a step, the ends of episodes, their infos, and how
long they are.
"""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import learnery.vector
from worlds import IDS, MODES, actions_for, copy_states, elapsed_steps, sync

#: What a step computes is tested in the first mode. The other modes differ only where an episode ends, so a
#: shorter trace, in which some episodes end, is enough for them.
STEPS, STEPS_OF_OTHER_MODES = 10_000, 2_000
WORLDS = 3
#: The largest difference of a number: this much, plus this much of the number itself.
TOLERANCE = 1e-5


def near(ours, theirs, rows, what):
    ours, theirs = ours[rows], theirs[rows]
    # NumPy's own assertion takes longer than a step of all worlds, so it only words the failures.
    if not (np.abs(ours - theirs) <= TOLERANCE * (1 + np.abs(theirs))).all():
        np.testing.assert_allclose(ours, theirs, rtol=TOLERANCE, atol=TOLERANCE, err_msg=what)


def equal(ours, theirs, what):
    assert ours.tolist() == theirs.tolist(), what


def compare_infos(ours, theirs, what):
    assert ours.keys() == theirs.keys(), what
    if not theirs:
        return
    equal(ours["_final_obs"], theirs["_final_obs"], what)
    equal(ours["_final_info"], theirs["_final_info"], what)
    assert ours["final_info"] == theirs["final_info"] == {}, what
    for our, their in zip(ours["final_obs"], theirs["final_obs"]):
        assert (our is None) == (their is None), what
        if our is not None:
            near(our, their, ..., what)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("id", IDS)
def test_steps_agree_with_gymnasium(id, mode):
    rng = np.random.default_rng(7)
    ours = learnery.vector.make(id, WORLDS, autoreset_mode=mode)
    theirs = sync(id, WORLDS, mode)
    ours.reset(seed=1)
    theirs.reset(seed=1)
    ended = np.zeros(WORLDS, dtype=bool)
    terminations = truncations = 0
    for step in range(STEPS if mode == MODES[0] else STEPS_OF_OTHER_MODES):
        what = f"{id} {mode} step {step}"
        states, steps = ours.states()
        copy_states(theirs, states)
        if mode != AutoresetMode.NEXT_STEP:
            assert steps.tolist() == elapsed_steps(theirs), what
        actions = actions_for(id, states, rng)
        our = ours.step(actions)
        their = theirs.step(actions)
        near(our[1], their[1], ..., what)
        equal(our[2], their[2], what)
        equal(our[3], their[3], what)
        compare_infos(our[4], their[4], what)
        was_ended, ended = ended, our[2] | our[3]
        # A new episode starts in a random state, which is ours.
        new = {AutoresetMode.NEXT_STEP: was_ended, AutoresetMode.SAME_STEP: ended}.get(mode, np.zeros(WORLDS, bool))
        near(our[0], their[0], ~new, what)
        if new.any():
            assert our[0] in ours.observation_space, what
            assert (ours.states()[1][new] == 0).all(), what
        terminations += our[2].sum()
        truncations += our[3].sum()
        if mode == AutoresetMode.DISABLED and ended.any():
            ours.reset(options={"reset_mask": ended})
            theirs.reset(options={"reset_mask": ended})
            assert (ours.states()[1][ended] == 0).all(), what
    # The trace has seen both ends of an episode.
    assert truncations > 0
    assert terminations > 0 or id == "Pendulum-v1"
