// Unit tests of questions to a lab's tools (core/ask.ts): what is sent to the worker, and how its messages resolve or
// reject a question.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Questions, ToolRefusal, WAITED_FOR, type Question } from "../../www/core/ask";
import type { AnswerPart } from "../../www/generated/protocol";

/** Questions to a worker, the requests that it gets, and a function that sends a part of an answer to the nth. */
function openQuestions({ hasWorker = true } = {}) {
  const sent: Question[] = [];
  const questions = new Questions((request) => {
    if (hasWorker) sent.push(request);
    return hasWorker;
  });
  const idOf = (nth: number) => sent.filter(({ type }) => type === "ask")[nth - 1]?.id ?? 0;
  const answer = (nth: number, part: AnswerPart) => questions.receive({ type: "answer", id: idOf(nth), part });
  return { questions, sent, idOf, answer };
}

test("a question is answered with events, progress and an output", async () => {
  const { questions, sent, idOf, answer } = openQuestions();
  const seen: unknown[] = [];
  const asked = questions.ask(
    "export",
    { format: "c" },
    { onEvent: (event) => seen.push(event), onProgress: ({ share }) => seen.push(share) },
  );
  assert.deepEqual(sent, [{ type: "ask", id: idOf(1), tool: "export", input: { format: "c" } }]);
  answer(1, { kind: "begun", units: 12 });
  answer(1, { kind: "event", event: null });
  answer(1, { kind: "progress", progress: { share: 0.5, count: 3 } });
  answer(1, { kind: "output", output: { name: "x.c", text: "" }, partial: false });
  assert.deepEqual(await asked, { output: { name: "x.c", text: "" }, partial: false, units: 12 });
  answer(1, { kind: "event", event: 2 }); // ignored: the question is already answered
  assert.deepEqual(seen, [null, 0.5]);
});

test("the priority of a question is sent with it, unless it is 0", () => {
  const { questions, sent } = openQuestions();
  for (const priority of [WAITED_FOR, -2, 0]) void questions.ask("export", {}, { priority });
  assert.deepEqual(
    sent.map((request) => "priority" in request && request.priority),
    [1, -2, false],
  );
});

test("each question gets its own answer", async () => {
  const { questions, answer } = openQuestions();
  const [first, second] = [questions.ask("export", {}), questions.ask("export", {})];
  answer(2, { kind: "output", output: { name: "2", text: "" }, partial: false });
  answer(1, { kind: "output", output: { name: "1", text: "" }, partial: false });
  assert.deepEqual([(await first).output?.name, (await second).output?.name], ["1", "2"]);
});

test("a signal cancels a question, whose answer is partial", async () => {
  const { questions, sent, idOf, answer } = openQuestions();
  const controller = new AbortController();
  const asked = questions.ask("export", {}, { signal: controller.signal });
  controller.abort();
  assert.deepEqual(sent.at(-1), { type: "cancel", id: idOf(1) });
  answer(1, { kind: "output", output: null, partial: true });
  assert.deepEqual(await asked, { output: null, partial: true, units: null });
  const late = await questions.ask("export", {}, { signal: controller.signal });
  assert.ok(late.partial && sent.length === 2, "a question whose signal is already aborted is not sent");
});

test("a question is rejected if the tool refuses it, if the worker ends, or if there is no worker", async () => {
  const { questions, answer } = openQuestions();
  const refused = questions.ask("export", {});
  answer(1, { kind: "refused", field: "format", message: "no such format" });
  await assert.rejects(refused, (error) => error instanceof ToolRefusal && error.field === "format");
  const open = questions.ask("export", {});
  questions.close();
  await assert.rejects(open, /the worker has ended/);
  await assert.rejects(openQuestions({ hasWorker: false }).questions.ask("export", {}), /no run is open/);
});
