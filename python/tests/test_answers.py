"""Tools give the recorded answers (`tests/golden/answers`): byte for byte those of `learnery ask`."""

from __future__ import annotations

import json

import pytest
from golden import ROOT

import learnery
from learnery import _native
from learnery._agent import file_input

FOLDER = ROOT / "tests/golden/answers"
QUESTIONS = json.loads((FOLDER / "questions.json").read_text())


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["name"])
def test_tools_give_the_recorded_answers(question, monkeypatch):
    # The paths of files, which answers may have, are relative to the folder of the repository.
    monkeypatch.chdir(ROOT)
    recorded = (FOLDER / learnery.bits() / f"{question['name']}.json").read_text()
    agent, tool, asked = learnery.load(question["network"]), question["tool"], question["input"]
    assert agent.ask(tool, **asked).output == json.loads(recorded)
    name = file_input(agent._checkpoint, tool, asked)
    content = (ROOT / asked[name]).read_bytes() if name else None
    answer = _native.ask(agent._checkpoint, tool, json.dumps(asked), content, None, None, None)
    assert answer == (recorded.rstrip("\n"), False, False)
