// The dialog with which a pupil hands in a result without a server: it asks for a name, and shows the result code as a QR
// code and as a text.

import { button, el, listen, write } from "../core/dom";
import { formatNumber, withUnit } from "../core/format";
import type { Run } from "../core/run";
import { copyButton } from "../ui/copy";
import { createDialog } from "../ui/dialog";
import { writeCode, type Answer } from "./code";
import { qrCode } from "./qr";
import { FAILED, resultOf } from "./result";
import { MAX_NAME, NOT_LOADED, problemWith, tidy } from "./text";
import "./class.css";

/** The name that was typed last since the page was loaded. */
let lastName = "";

/** Opens the dialog, unless it is open. A pupil in a class has a name already; then the code is made at once. */
export function openResultDialog(run: Run, name = "", answers: Answer[] = []): void {
  if (document.querySelector(".result-dialog")) return;
  const input = el("input", {
    type: "text",
    id: "result-name",
    autocomplete: "off",
    maxlength: 2 * MAX_NAME,
    value: name || lastName,
  });
  const message = el("p", { class: "class-message", role: "status" });
  const output = el("div", { class: "result-output", hidden: true });
  const makeButton = el("button", { type: "submit", class: "button primary", text: "Make the code" });
  const form = el(
    "form",
    { class: "class-form", novalidate: true, hidden: name !== "" },
    el("label", { for: "result-name", text: `Your name, or one that you choose (at most ${MAX_NAME} characters)` }),
    el("div", { class: "row" }, input, makeButton),
  );
  const dialog = createDialog(
    { class: "result-dialog", titleId: "result-title", title: "Result code", closed: () => dialog.remove() },
    el("p", {
      class: "quiet small",
      text: `The code holds the name${answers.length > 0 ? ", your answers to the class" : ""} and the run: its settings, its seed, its curve and its fingerprint. Nothing is sent. You show or give the code to your teacher yourself.`,
    }),
    form,
    message,
    output,
    el(
      "p",
      { class: "dialog-actions" },
      button("Close", () => dialog.close()),
    ),
  );

  const submit = async () => {
    const pupil = tidy(input.value);
    const say = (text: string, isProblem: boolean) => {
      write(message, text);
      message.classList.toggle("wrong", isProblem);
      // Whatever went wrong, there is a button with which to try again.
      if (isProblem) form.hidden = false;
    };
    output.hidden = true; // it may hold the code of another pupil
    const problem = problemWith(pupil, "The name", MAX_NAME);
    if (problem !== null) {
      say(problem, true);
      return input.focus();
    }
    // The name of a class goes with the class.
    if (name === "") lastName = pupil;
    say("The code is being made …", false);
    makeButton.disabled = true;
    const made = await makeCode(run, pupil, answers).catch(() => ({ problem: FAILED }));
    if ("problem" in made) say(made.problem, true);
    else {
      output.replaceChildren(...(await codeElements(made.code)));
      output.hidden = false;
      say(made.sentence, false);
    }
    makeButton.disabled = false;
  };

  listen(form, {
    submit: (event) => {
      event.preventDefault();
      void submit();
    },
  });
  document.body.append(dialog);
  dialog.showModal();
  if (name !== "") void submit();
  else input.focus();
}

/** The result code of the open run with a sentence that sums it up, or the problem as a sentence. */
async function makeCode(
  run: Run,
  name: string,
  answers: Answer[],
): Promise<{ code: string; sentence: string } | { problem: string }> {
  const taken = await resultOf(run, name, answers);
  if ("problem" in taken) return taken;
  // Read before the next wait, in which another run may be opened.
  const { metric, curve } = taken.result;
  const spec = run.series.spec(metric);
  const last = curve.values.at(-1);
  const value = last === undefined ? "not measured yet" : withUnit(formatNumber(last, 4, spec?.unit), spec?.unit ?? "");
  const unit = `${run.lab?.about.unit ?? "unit"} ${taken.units}`;
  const sentence = `${name}, seed ${run.origin().seed}, ${unit}: ${spec?.label ?? metric} ${value}.`;
  const code = await writeCode(taken.result);
  if (code !== null) return { code, sentence };
  return {
    problem:
      "This run has too many changes, or too much data of your own, for a code. The file of “Save recipe” in “Share and save” holds them.",
  };
}

/** The link that opens the page “A class” and adds this code to it. */
const resultLink = (code: string): string => `${location.origin}${location.pathname}#/class?result=${code}`;

async function codeElements(code: string): Promise<Element[]> {
  const link = resultLink(code);
  const text = el("textarea", { class: "mono result-text", readonly: true, rows: 3, "aria-label": "Result code" });
  text.value = code;
  listen(text, { focus: () => text.select() });
  const picture = await qrCode(link, "QR code of this result").catch(() => "missing" as const);
  const hint =
    picture === "missing"
      ? `The QR code could not be drawn. ${NOT_LOADED} The code can be copied as text.`
      : picture
        ? "Scanned with a phone's camera, this code opens the page “A class” there, which collects the result on that phone."
        : "This code is too long for a QR code. Copy it as text.";
  return [
    ...(picture && picture !== "missing" ? [picture] : []),
    el("p", { class: "quiet small", text: hint }),
    text,
    el(
      "p",
      { class: "row" },
      copyButton("Copy the code", () => code, { select: () => text.select() }),
      copyButton("Copy a link with the code", () => link),
    ),
  ];
}
