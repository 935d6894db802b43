"""Worlds of texts: batches beside single worlds, Gymnasium's checks, constants beside Gymnasium's own, pictures."""

from __future__ import annotations

import sys
import types
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import RecordVideo

import learnery
from worlds import IDS, MODES, WORLDS, actions_for, copy_states, same, sync

LANDER = next(path for path in WORLDS if path.stem == "lander")

#: Episodes that begin below 0.5 end in the first step by a fault, the others in the second step with a
#: success.
SHORT = """
world "Short"
action push: left, right
state x = uniform(0, 1)
state n = 0
x' = if x < 0.5 then 1 / n else x
n' = n + 1
reward x
succeed when n >= 2
"""


@pytest.mark.parametrize("path", WORLDS, ids=lambda path: path.stem)
def test_gymnasium_checks_every_example(path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # A text says no bounds of what is seen, and has actions in the units of its world.
        warnings.filterwarnings("ignore", ".*(infinity|normalized|recommend).*")
        check_env(learnery.gym(path))
        check_env(learnery.gym(path, render_mode="rgb_array"))
        check_env(gymnasium.make("learnery/World-v0", world=path).unwrapped)


@pytest.mark.parametrize("path", WORLDS, ids=lambda path: path.stem)
def test_spaces_hold_what_a_batch_returns(path):
    envs = learnery.vector.make(world=path, num_envs=5)
    assert isinstance(envs, gymnasium.vector.VectorEnv)
    observations, _ = envs.reset(seed=0)
    for _ in range(50):
        assert observations in envs.observation_space
        observations, rewards, *_ = envs.step(envs.action_space.sample())
        assert rewards.dtype == np.float32 and rewards.shape == (5,)


def single_worlds(world, mode, count, steps, actions, **options):
    """The results of a batch, from worlds that are stepped one by one as `SyncVectorEnv` does it."""
    envs = [learnery.gym(world, **options) for _ in range(count)]
    observations = [env.reset(seed=40 + i)[0] for i, env in enumerate(envs)]
    waits = [False] * count
    for step in range(steps):
        rows = []
        for i, env in enumerate(envs):
            if waits[i]:
                observations[i], waits[i] = env.reset()[0], False
                rows.append((observations[i], 0.0, False, False))
                continue
            observation, reward, terminated, truncated, _ = env.step(actions[step][i])
            if terminated or truncated:
                if mode == AutoresetMode.NEXT_STEP:
                    waits[i] = True
                else:
                    observation = env.reset()[0]
            rows.append((observation, reward, terminated, truncated))
        yield [np.array(column) for column in zip(*rows)]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("world", [*WORLDS, SHORT], ids=lambda world: getattr(world, "stem", "short"))
@pytest.mark.parametrize("options", [{}, {"max_episode_steps": 1}], ids=str)
def test_batches_are_single_worlds(world, mode, options):
    envs = learnery.vector.make(world=world, num_envs=20, autoreset_mode=mode, **options)
    envs.action_space.seed(0)
    envs.reset(seed=40)
    actions = [envs.action_space.sample() for _ in range(60)]
    for step, expected in enumerate(single_worlds(world, mode, 20, 60, actions, **options)):
        results = envs.step(actions[step])
        ended = results[2] | results[3]
        observations = results[0]
        if mode == AutoresetMode.DISABLED and ended.any():
            observations, _ = envs.reset(options={"reset_mask": ended})
        assert same([observations, *results[1:4]], [each.astype(r.dtype) for each, r in zip(expected, results)]), step


def test_threads_change_no_bit_of_a_text():
    def run(threads):
        envs = learnery.vector.make(world=LANDER, num_envs=2100, num_threads=threads)
        envs.action_space.seed(0)
        return [envs.reset(seed=1)] + [envs.step(envs.action_space.sample()) for _ in range(120)]

    assert same(run(1), run(3))


def test_ends_say_what_happened():
    env = learnery.gym(SHORT)
    seen = set()
    for seed in range(20):
        env.reset(seed=seed)
        terminated = False
        while not terminated:
            *_, terminated, _, info = env.step(0)
        seen.add((info["is_success"], info.get("fault")))
        with pytest.raises(ResetNeeded, match="the episode has ended"):
            env.step(0)
    assert seen == {(True, None), (False, "line 6: a division by zero")}


def equal_infos(one, other):
    """Whether two infos of a batch are equal: names, types and values."""
    if one.keys() != other.keys():
        return False
    for name, value in one.items():
        if isinstance(value, dict):
            if not equal_infos(value, other[name]):
                return False
        elif value.dtype != other[name].dtype or not all(map(np.array_equal, value, other[name])):
            return False
    return True


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("world", [LANDER, SHORT], ids=["lander", "short"])
def test_infos_of_a_batch_are_those_that_gymnasium_makes_of_single_worlds(world, mode):
    count = 20
    ours = learnery.vector.make(world=world, num_envs=count, autoreset_mode=mode)
    theirs = SyncVectorEnv([lambda: learnery.gym(world) for _ in range(count)], autoreset_mode=mode)
    assert ours.reset(seed=40)[1] == theirs.reset(seed=40)[1] == {}
    ours.action_space.seed(0)
    faults, ends = set(), 0
    for step in range(60):
        actions = ours.action_space.sample()
        results, expected = ours.step(actions), theirs.step(actions)
        assert same(results[0], expected[0]) and equal_infos(results[4], expected[4]), step
        infos = results[4].get("final_info", {}) if mode == AutoresetMode.SAME_STEP else results[4]
        ended = results[2] | results[3]
        assert ("_is_success" in infos) == ended.any()
        if ended.any():
            ends += ended.sum()
            assert same(infos["_is_success"], ended)
            if mode == AutoresetMode.DISABLED:
                for envs in [ours, theirs]:
                    envs.reset(options={"reset_mask": ended})
        if "fault" in infos:
            assert not infos["is_success"][infos["_fault"]].any()
            assert [fault is not None for fault in infos["fault"]] == infos["_fault"].tolist()
            faults |= set(infos["fault"][infos["_fault"]])
    assert ends > 0 and faults == (set() if world is LANDER else {"line 6: a division by zero"})


def test_worlds_with_gymnasiums_ids_tell_no_ends():
    envs = learnery.vector.make("Acrobot-v1", 3, max_episode_steps=1, LINK_MASS_1=0.8)
    envs.reset(seed=0)
    assert envs.step([0, 1, 2])[4] == {}


def test_gymnasium_checks_a_world_with_faults():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*(infinity|normalized|recommend).*")
        check_env(learnery.gym(SHORT))


# Constants.

#: Other values than the usual ones, for each constant.
CONSTANTS = {
    "CartPole-v1": dict(
        gravity=3.0,
        masscart=2.0,
        masspole=0.5,
        length=0.8,
        force_mag=15.0,
        tau=0.01,
        theta_threshold_radians=0.4,
        x_threshold=1.5,
    ),
    "MountainCar-v0": dict(
        force=0.002,
        gravity=0.002,
        goal_position=0.4,
        goal_velocity=0.01,
        max_speed=0.05,
        min_position=-1.0,
        max_position=0.55,
    ),
    "Pendulum-v1": dict(g=4.0, m=2.0, l=0.5, dt=0.02, max_speed=6.0, max_torque=1.5),
    "Acrobot-v1": dict(
        LINK_LENGTH_1=1.2,
        LINK_MASS_1=0.8,
        LINK_MASS_2=1.3,
        LINK_COM_POS_1=0.4,
        LINK_COM_POS_2=0.6,
        LINK_MOI=1.1,
        MAX_VEL_1=8.0,
        MAX_VEL_2=20.0,
        dt=0.1,
    ),
}


@pytest.mark.parametrize("id", IDS)
def test_every_constant_is_gymnasiums(id):
    assert set(CONSTANTS[id]) == set(learnery.vector.make(id).rules.constants)
    changes = [{name: value} for name, value in CONSTANTS[id].items()] + [{}, CONSTANTS[id]]
    for constants in changes:
        ours, theirs = learnery.vector.make(id, 8, **constants), sync(id, 8)
        for env in theirs.envs:
            for name, value in constants.items():
                setattr(env.unwrapped, name, value)
            if id == "CartPole-v1":
                own = env.unwrapped
                own.total_mass, own.polemass_length = own.masspole + own.masscart, own.masspole * own.length
        ours.reset(seed=0)
        theirs.reset(seed=0)
        rng = np.random.default_rng(0)
        for _ in range(250):
            states, steps = ours.states()
            if (steps == 0).any():
                theirs.reset()
            copy_states(theirs, states)
            actions = actions_for(id, states, rng)
            mine, other = ours.step(actions), theirs.step(actions)
            running = steps > 0
            for a, b in zip(mine[:3], other[:3]):
                assert np.allclose(a[running], b[running], atol=2e-5), (id, constants)


def test_the_text_of_a_built_in_world_computes_the_same():
    for id in IDS:
        usual = learnery.vector.make(id, 8)
        text = learnery.vector.make(id, 8)
        name, value = next(iter(text.rules.constants.items()))
        usual.reset(seed=3)
        text.reset(seed=3)
        # There and back: from then on the text computes.
        text.set_attr(name, value * 1.5)
        text.set_attr(name, value)
        assert same(usual.states(), text.states())


def test_attributes_are_those_of_gymnasium():
    envs, theirs = learnery.vector.make("CartPole-v1", 3), sync("CartPole-v1", 3)
    envs.reset(seed=0)
    for name in envs.rules.constants:
        assert envs.get_attr(name) == envs.call(name) == pytest.approx(theirs.get_attr(name)), name
    for name in ["observation_space", "action_space"]:
        assert envs.get_attr(name)[1] == theirs.get_attr(name)[1], name
    spec, their_spec = envs.get_attr("spec")[1], theirs.get_attr("spec")[1]
    for name in ["id", "max_episode_steps", "reward_threshold", "kwargs"]:
        assert getattr(spec, name) == getattr(their_spec, name), name
    assert same(np.array(envs.get_attr("state")), envs.states()[0])
    before = envs.states()
    envs.set_attr("gravity", [20.0] * 3)
    assert envs.get_attr("gravity") == (20.0,) * 3 and same(before, envs.states())
    twice = learnery.vector.make("CartPole-v1", 3, gravity=20)
    twice.reset(seed=0)
    assert same(envs.step([0, 1, 1]), twice.step([0, 1, 1]))


def test_a_constant_of_a_text_is_an_argument():
    world = "world \"Fall\"\nparam pull = 1 from 0 to 5\naction push: left, right\nstate x = 0\nx' = x + pull\nreward x'\n"
    env = learnery.gym(world, pull=3, max_episode_steps=2)
    env.reset(seed=0)
    assert [env.step(0)[1:4] for _ in range(2)] == [(3.0, False, False), (6.0, False, True)]


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: learnery.vector.make(), ValueError, "expected either an id or a world"),
        (lambda: learnery.vector.make("CartPole-v1", world=LANDER), ValueError, "expected either an id or a world"),
        (lambda: learnery.vector.make("CartPole-v1", gravty=1), ValueError, "CartPole-v1 has no constant 'gravty'; it has gravity, "),
        (lambda: learnery.vector.make("CartPole-v1", gravity=-1), ValueError, "gravity must be from 0 to 1000, not -1"),
        (lambda: learnery.vector.make("CartPole-v1", gravity="1"), ValueError, "gravity must be a number, not '1'"),
        (lambda: learnery.vector.make("CartPole-v1", gravity=np.nan), ValueError, "gravity must be a finite number, not nan"),
        (lambda: learnery.vector.make("CartPole-v1", max_episode_steps=0), ValueError, "max_episode_steps must be from 1 to"),
        (lambda: learnery.vector.make("CartPole-v1", render_mode="human"), ValueError, "there is no render_mode 'human'"),
        (lambda: learnery.gym("world \"X\"\nstate x = y\n"), ValueError, "the world has errors:\n"),
        (lambda: learnery.gym("no such file"), FileNotFoundError, "no such file"),
        (lambda: learnery.gym(7), ValueError, "world must be a text or a path, not 7"),
        (lambda: learnery.vector.make("CartPole-v1", 2).get_attr("x"), AttributeError, "CartPole-v1 has no attribute 'x'"),
        (lambda: learnery.vector.make("CartPole-v1", 2).set_attr("x", 1), AttributeError, "CartPole-v1 has no attribute 'x' to set"),
        (lambda: learnery.vector.make("CartPole-v1", 2).set_attr("tau", [1]), ValueError, "there are 1 values of tau for 2 worlds"),
        (lambda: learnery.vector.make("CartPole-v1", 2).set_attr("tau", [1, 2]), ValueError, "worlds of a batch have the same tau"),
        (lambda: learnery.vector.make("CartPole-v1", 2).set_attr("tau", 7), ValueError, "tau must be from 0.0001 to 1, not 7"),
        (lambda: learnery.gym(LANDER).reset(options={"low": 1}), ValueError, "there is no option 'low'"),
    ],
)
def test_bad_input_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_errors_of_a_text_name_file_line_and_column(tmp_path):
    path = tmp_path / "bad.world"
    path.write_text('world "Bad"\naction push: left, right\nstate x = 0\nx\' = sped\nreward 1\n')
    with pytest.raises(ValueError) as error:
        learnery.vector.make(world=path)
    assert str(error.value).startswith(f"{path} has errors:\n") and "sped" in str(error.value)
    path.write_bytes(b"\xff\xfe\n")
    with pytest.raises(ValueError, match="bad.world is not a text in UTF-8"):
        learnery.gym(path)


# Pictures.


@pytest.mark.parametrize("path", WORLDS, ids=lambda path: path.stem)
def test_pictures_show_the_world(path):
    env = learnery.gym(path, render_mode="rgb_array")
    env.reset(seed=0)
    first = env.render()
    assert first.shape == (400, 720, 3) and first.dtype == np.uint8 and len(np.unique(first)) > 2
    assert same(first, env.render())
    env.action_space.seed(0)
    for _ in range(30):
        *_, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            env.reset()
    assert not same(first, env.render())


def test_shapes_have_their_colors_and_places():
    world = """
world "Shapes"
action push: left, right
state x = 0
x' = x + 1
reward 1
camera at (0, 0) height 4
draw rectangle at (-1, 1) size (1, 1) color ink
draw circle at (1, 1) radius 0.5 color bad
draw line from (-2, -1) to (2, -1) color good width 0.2
draw polygon points (-0.5, -0.5), (0.5, -0.5), (0, 0.5) color accent
draw text "A" at (2, 0) size 1 color second
draw trail at (x - 3, 1.8) length 2 color muted width 0.1
"""
    env = learnery.gym(world, render_mode="rgb_array")
    env.reset(seed=0)

    def color(x, y):
        # The picture is 400 pixels high and the camera 4 units, so a unit has 100 pixels.
        return env.render()[200 - round(100 * y), 360 + round(100 * x)].tolist()

    assert color(-1, 1) == [0x15, 0x19, 0x1C] and color(1, 1) == [0xB2, 0x46, 0x15]
    assert color(0, -1) == [0x1F, 0x68, 0xAD] and color(0, 0) == [0x07, 0x7A, 0x5A]
    assert color(1.45, 1.45) == color(-0.4, 0.3) == [255] * 3
    # The bar of the letter, and the hole above it.
    assert color(2.25, -0.1) == [0x7B, 0x4B, 0xB8] and color(2.25, 0.1) == [255] * 3
    # The trail joins the positions of the last two pictures.
    assert color(-2.5, 1.8) == [255] * 3
    env.step(0)
    assert color(-2.5, 1.8) == [0x66, 0x6F, 0x76]
    env.step(0)
    assert color(-2.5, 1.8) == [255] * 3 and color(-1.5, 1.8) == [0x66, 0x6F, 0x76]
    env.reset()
    assert color(-1.5, 1.8) == [255] * 3


def test_batches_are_drawn():
    for arguments in [dict(id=id) for id in IDS] + [dict(world=LANDER)]:
        envs = learnery.vector.make(num_envs=3, render_mode="rgb_array", **arguments)
        envs.reset(seed=0)
        envs.step(envs.action_space.sample())
        pictures = envs.render()
        assert len(pictures) == 3 and not same(pictures[0], pictures[1]) and same(envs.call("render"), pictures)
    assert learnery.vector.make("CartPole-v1").metadata["render_fps"] == 50


def test_videos_are_recorded(tmp_path, monkeypatch):
    # What encodes videos is a large library; this stands for it.
    for name in ["moviepy", "moviepy.video", "moviepy.video.io", "moviepy.video.io.ImageSequenceClip"]:
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    sys.modules["moviepy.video.io.ImageSequenceClip"].ImageSequenceClip = None
    frames = []

    class Recorder(RecordVideo):
        def stop_recording(self):
            frames.extend(self.recorded_frames)
            self.recording, self.recorded_frames = False, []

    env = Recorder(learnery.gym(LANDER, render_mode="rgb_array", max_episode_steps=5), str(tmp_path))
    env.reset(seed=0)
    for _ in range(5):
        env.step(env.action_space.sample())
    env.close()
    assert len(frames) == 6 and all(frame.shape == (400, 720, 3) for frame in frames)
