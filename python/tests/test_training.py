"""Training: the bits of the command line, also after interruptions; limits, bad input and progress bars."""

from __future__ import annotations

import importlib.metadata
import multiprocessing
import os
import signal
import sys
import threading
import warnings

import numpy as np
import pytest

import golden
import learnery

#: A run whose units take some milliseconds.
QUICK = {"worlds": 64, "horizon": 32, "hidden": 8, "eval_every": 0}


@pytest.mark.parametrize("name", golden.RUNS)
def test_runs_have_the_fingerprints_of_the_command_line(name):
    started = golden.train(name)
    assert started.ended == "units" and started.units == golden.RUNS[name]["units"]
    assert started.fingerprint() == golden.fingerprint(name, "started")
    continued = learnery.Run.load(golden.checkpoint(name))
    continued.train(units=golden.RUNS[name]["more"])
    assert continued.fingerprint() == golden.fingerprint(name, "continued")


def test_golden_runs_are_those_of_the_script_that_makes_them():
    made = {name: f"train {command}" for name, command in golden.script("make_run_golden").RUNS.items()}
    assert made == {name: run["command"] for name, run in golden.RUNS.items()}


@pytest.mark.parametrize("name", golden.OWN_WORLDS["fingerprints"])
def test_runs_of_own_worlds_have_the_fingerprints_of_the_command_line(name, tmp_path):
    path, expected = golden.ROOT / f"crates/world-rules/examples/{name}.world", golden.OWN_WORLDS
    fingerprints = expected["fingerprints"][name][learnery.bits()]
    run = learnery.train("control", expected["settings"], expected["seed"], world=path, units=expected["units"])
    assert run.fingerprint() == fingerprints["started"]
    run.save(tmp_path / "run.safetensors")
    continued = learnery.Run.load(tmp_path / "run.safetensors")
    continued.train(units=expected["more"])
    assert continued.fingerprint() == fingerprints["continued"]


def test_a_saved_run_continues_with_the_same_bits(tmp_path):
    path = tmp_path / "run.safetensors"
    run = learnery.Run("control", QUICK, 3)
    run.train(units=2)
    run.save(path)
    loaded = learnery.Run.load(path)
    assert (loaded.seed, loaded.units, loaded.settings) == (3, 2, run.settings)
    assert loaded.history["unit"].tolist() == [1, 2]
    assert [path] == list(tmp_path.iterdir())
    for each in (run, loaded):
        each.configure(learning_rate=1e-3)
        each.train(units=1)
    assert run.fingerprint() == loaded.fingerprint()
    loaded.save(path, network_only=True)
    assert learnery.load(path).tensors["actor/0/weight"].shape == (4, 8)


def test_a_preset_is_overridden_by_settings():
    run = learnery.Run("control", {"worlds": 7}, preset="pendulum")
    assert (run.settings["world"], run.settings["worlds"]) == ("pendulum", 7)


def test_training_on_a_text_of_ones_own(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("To be, or not to be, that is the question. " * 400)
    tiny = {"width": 8, "layers": 1, "heads": 1, "length": 16, "batch": 3, "updates": 1}
    run = learnery.train("language", tiny, text=path, units=1)
    # A text implies the preset that is meant for texts.
    assert run.settings["source"] == "text"
    fingerprint = run.fingerprint()
    path.write_text("Whether 'tis nobler in the mind to suffer. " * 400)
    assert learnery.train("language", tiny, text=path, units=1).fingerprint() != fingerprint
    with pytest.raises(ValueError, match="the lab `control` reads no text"):
        learnery.Run("control", text=path)
    # A text takes the place of the stories of a preset, whose other settings stay. It contradicts a setting.
    run = learnery.Run("language", tiny, preset="stories", text=path)
    assert (run.settings["source"], run.settings["echoes"]) == ("text", 0.5)
    with pytest.raises(ValueError, match="learns no text of your own"):
        learnery.Run("language", tiny | {"source": "stories"}, text=path)


def test_faults_of_a_world_are_told():
    world = "world \"X\"\nstate x = 0\naction push: left, right\nx' = x + push\nreward 1\nlimit 9 steps\n"
    trap = world.replace("reward 1", "reward 1 / (x - x)")
    rows = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run = learnery.train("control", QUICK, world=trap, units=2, callback=rows.append)
    # The first one only, as in the terminal. Every step of every world ends an episode.
    episodes = run.settings["worlds"] * run.settings["horizon"]
    sentence = (
        f"{episodes} of the {episodes} episodes that ended in the last iteration failed by a fault of the rules; "
        "one of them in line 5: a division by zero"
    )
    assert [(each.category, str(each.message)) for each in caught] == [
        (RuntimeWarning, f"after unit 1: {sentence}")
    ]
    assert run.remark == sentence and [row["remark"] for row in rows] == [sentence] * 2
    # As an error it ends the training after the unit, and the run can go on.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="after unit 3: "):
            run.train(units=2)
        assert (run.units, run.ended) == (3, None)
        healthy = learnery.train("control", QUICK, world=world, units=1, callback=rows.append)
    assert healthy.remark is None and "remark" not in rows[-1]


def test_training_in_a_world_of_ones_own():
    path = golden.ROOT / "crates/world-rules/examples/reacher.world"
    run = learnery.train("control", QUICK, world=path, units=2)
    assert run.settings["world"] == "own"
    assert learnery.train("control", QUICK, world=str(path), units=2).fingerprint() == run.fingerprint()
    agent, envs = run.agent(), learnery.vector.make(world=path, num_envs=6)
    observations, _ = envs.reset(seed=0)
    actions = agent.act(observations)
    assert actions in envs.action_space and agent.act(observations[2]) in envs.single_action_space
    envs.step(actions)
    heavier = learnery.train("control", QUICK, world=path, constants={"friction": 2}, units=2)
    assert heavier.fingerprint() != run.fingerprint()
    with pytest.raises(ValueError, match="has no constant 'mass'"):
        learnery.Run("control", world=path, constants={"mass": 1})
    with pytest.raises(ValueError, match="expected"):
        learnery.Run("control", world=path, constants={"friction": 99})
    with pytest.raises(ValueError, match="give it as world"):
        learnery.Run("control", constants={"friction": 1})
    with pytest.raises(ValueError, match="the lab `cube` has no worlds; `control` has"):
        learnery.Run("cube", world=path)
    with pytest.raises(ValueError, match="the world has errors"):
        learnery.Run("control", world="world\n")


# Callbacks and limits.


def test_a_callback_sees_every_unit_and_can_use_the_run(tmp_path):
    run = learnery.Run("control", QUICK)
    rows, units = [], []

    def callback(row):
        rows.append(row)
        units.append(run.units)
        run.save(tmp_path / f"{row['unit']}.safetensors")
        return np.bool_(row["unit"] < 3)

    assert run.train(callback) == run.ended == "callback"
    assert [row["unit"] for row in rows] == units == [1, 2, 3]
    assert [row["work"] for row in rows] == [2048, 4096, 6144]
    history = run.history
    for name in set(rows[-1]) - {"unit", "work", "seconds"}:
        assert history[name][-1] == rows[-1][name]
    assert np.isnan(history["examReturn"]).all() and "examReturn" not in rows[-1]
    third = learnery.Run.load(tmp_path / "3.safetensors")
    assert third.fingerprint() == run.fingerprint() == learnery.train("control", QUICK, units=3).fingerprint()


def test_an_exception_of_a_callback_is_passed_on_and_leaves_the_run_usable():
    run = learnery.Run("control", QUICK)

    def callback(row):
        if row["unit"] == 2:
            raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        run.train(callback, units=5)
    assert run.ended is None and run.units == 2
    run.train(units=1)
    assert run.fingerprint() == learnery.train("control", QUICK, units=3).fingerprint()


def test_limits_end_the_training():
    tiny = {"width": 8, "layers": 1, "heads": 1, "batch": 3, "updates": 1, "anneal": 2}
    run = learnery.Run("language", tiny | {"judge_every": 0})
    assert run.train(units=0) == "units" and run.units == 0
    assert run.train(seconds=0.0) == "time" and run.units == 0
    assert run.train() == "schedule" and run.units == 2
    easy = learnery.Run("language", tiny | {"judge_every": 1, "judge_size": 16, "goal": 0.0})
    assert easy.train(until_goal=True) == "goal" and easy.solved_at == easy.units == 1


# Ctrl-C.


def test_ctrl_c_in_the_middle_of_a_unit_ends_the_training_and_leaves_the_run_usable():
    long = {"worlds": 512, "horizon": 128, "epochs": 8, "eval_every": 0}
    run = learnery.Run("control", long, 1)

    def callback(row):
        # From another thread, as the signal of a terminal comes: the training thread does not raise it itself.
        if row["unit"] == 1:
            threading.Timer(0.1, lambda: signal.raise_signal(signal.SIGINT)).start()

    assert run.train(callback, units=1000) == run.ended == "interrupted"
    assert run.units < 1000
    # A unit in progress is finished first.
    fingerprint, units = run.fingerprint(), run.units
    assert fingerprint == learnery.train("control", long, 1, units=units).fingerprint()


def test_ctrl_c_in_a_callback_ends_the_training():
    def callback(row):
        if row["unit"] == 2:
            signal.raise_signal(signal.SIGINT)

    run = learnery.train("control", QUICK, callback=callback, units=1000)
    assert run.ended == "interrupted" and run.units == 2


def test_other_threads_run_and_ask_while_one_trains():
    run, seen = learnery.Run("control", QUICK), []
    thread = threading.Thread(target=lambda: run.train(lambda row: len(seen) < 20))
    thread.start()
    while thread.is_alive():
        seen.append(run.units)
    assert run.ended == "callback" and seen == sorted(seen) and len(seen) >= 20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_process_that_was_forked_computes():
    golden.train("control-ppo")
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    child = context.Process(target=lambda: send.send(golden.train("control-ppo").fingerprint()))
    child.start()
    assert receive.poll(60) and receive.recv() == golden.fingerprint("control-ppo", "started")
    child.join()


# Bad input.


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(lab="chess"), "there is no lab `chess`; the labs are " + ", ".join(learnery.LABS)),
        (dict(settings={"wrlds": 1}), "setting `wrlds`: unknown; did you mean `worlds`?"),
        (dict(settings={"worlds": 0}), "setting `worlds`: 0 is not allowed; expected a whole number from 1 to 65536"),
        (dict(settings={"worlds": np.int64(0)}), "setting `worlds`: 0 is not allowed"),
        (dict(settings={"gamma": float("nan")}), "setting `gamma`: nan is neither a finite number"),
        (dict(settings={"gamma": object}), "setting `gamma`: <class 'object'> is neither"),
        (dict(settings={"worlds": 65536, "horizon": 4096}), "setting `horizon`: worlds times horizon"),
        (dict(seed=-1), "seed must be from 0 to 4294967295, not -1"),
        (dict(seed=0.5), "seed must be an integer, not 0.5"),
        (dict(preset="quick"), "there is no preset `quick`; the presets are standard, "),
        (dict(units=-1), "units must be from 0 to"),
        (dict(seconds=float("inf")), "seconds must be a finite number that is not negative, not inf"),
        (dict(callback=3), "callback must be a function, not 3"),
    ],
)
def test_train_refuses(arguments, message):
    with pytest.raises(ValueError) as error:
        learnery.train(**({"lab": "control"} | arguments))
    assert str(error.value).startswith(message)


def test_a_setting_that_needs_a_restart_is_refused():
    run = learnery.Run("control", QUICK)
    with pytest.raises(ValueError, match="setting `worlds`: a change of this one needs a restart; start a new run for it"):
        run.configure(worlds=3)
    with pytest.raises(ValueError, match="setting `gamma`: 2 is not allowed; expected a number from 0 to 1"):
        run.configure(gamma=2)
    assert run.settings["worlds"] == 64


def test_files_that_are_no_runs_are_refused(tmp_path):
    damaged = bytearray(golden.checkpoint("control-ppo").read_bytes())
    damaged[-1] ^= 1
    path = tmp_path / "run.safetensors"
    for content, problem in [(b"", "the file is empty"), (bytes(damaged), "the file is damaged"), (b"no", "not a readable")]:
        path.write_bytes(content)
        for read in (learnery.load, learnery.Run.load):
            with pytest.raises(ValueError) as error:
                read(path)
            assert str(error.value).startswith(f"{path}: {problem}")
    with pytest.raises(FileNotFoundError, match="holds no checkpoint"):
        learnery.load(tmp_path)
    with pytest.raises(FileNotFoundError):
        learnery.load(tmp_path / "nothing")
    # The folder of a run.
    (tmp_path / "last.safetensors").write_bytes(golden.checkpoint("control-ppo").read_bytes())
    assert learnery.load(tmp_path).fingerprint() == learnery.load(golden.checkpoint("control-ppo")).fingerprint()


def test_a_failed_save_names_the_path_that_was_given(tmp_path):
    run = learnery.Run("control", QUICK)
    folder = tmp_path / "folder"
    folder.mkdir()
    for path, error in [(tmp_path / "nowhere" / "run.safetensors", FileNotFoundError), (folder, OSError)]:
        with pytest.raises(error) as caught:
            run.save(path)
        assert caught.value.filename == str(path) and ".tmp" not in str(caught.value)
    assert list(tmp_path.iterdir()) == [folder]


def test_the_version_is_that_of_the_package():
    assert learnery.__version__ == importlib.metadata.version("learnery")


# Progress bars.


def test_a_bar_shows_the_progress(capsys):
    run = learnery.train("control", QUICK, units=3, progress=True)
    shown = capsys.readouterr().err
    assert "control" in shown and "3/3" in shown and "units/s" in shown
    # It stops where training does, and a callback has its say.
    assert run.train(lambda row: row["unit"] < 5, units=9, progress=True) == "callback"
    assert "2/9" in capsys.readouterr().err
    assert run.fingerprint() == learnery.train("control", QUICK, units=5).fingerprint()


def test_a_progress_bar_is_shown_by_default_in_terminals_only(capsys, monkeypatch):
    learnery.train("control", QUICK, units=1)
    assert capsys.readouterr().err == ""
    for interactive, progress, is_shown in [(True, None, True), (True, False, False), (False, None, False)]:
        monkeypatch.setattr(sys.stderr, "isatty", lambda: interactive, raising=False)
        learnery.train("control", QUICK, units=1, progress=progress)
        assert ("1/1" in capsys.readouterr().err) == is_shown


def test_without_tqdm_there_is_no_bar(capsys, monkeypatch):
    for name in ["tqdm", "tqdm.auto"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    learnery.train("control", QUICK, units=1)
    assert capsys.readouterr().err == ""
    with pytest.raises(ImportError, match="a progress bar needs tqdm: pip install tqdm"):
        learnery.train("control", QUICK, units=1, progress=True)
