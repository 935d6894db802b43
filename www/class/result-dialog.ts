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
import { MAX_NAME, problemWith, tidy } from "./text";
import "./class.css";

/** The name that was given last in this tab. */
let lastName = "";

/** Opens the dialog. With a `name`, as a pupil of a class has one, the code is made at once. */
export function openResultDialog(run: Run, name = "", answers: Answer[] = []): void {
  const input = el("input", {
    type: "text",
    id: "result-name",
    autocomplete: "off",
    maxlength: 2 * MAX_NAME,
    value: name || lastName,
  });
  const message = el("p", { class: "class-message", role: "status" });
  const output = el("div", { class: "result-output", hidden: true });
  const make = el("button", { type: "submit", class: "button primary", text: "Make the code" });
  const form = el(
    "form",
    { class: "class-form", novalidate: true, hidden: name !== "" },
    el("label", { for: "result-name", text: `Your name, or one that you choose (${MAX_NAME} characters)` }),
    el("div", { class: "row" }, input, make),
  );
  const dialog = createDialog(
    { class: "result-dialog", titleId: "result-title", title: "Result code", closed: () => dialog.remove() },
    el("p", {
      class: "quiet small",
      text: "The code holds the name, your answers to the class, and the run: its settings, its seed, its curve and its fingerprint. Nothing is sent. You show or give the code to your teacher yourself.",
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
    const typed = tidy(input.value);
    const wrong = problemWith(typed, "The name", MAX_NAME);
    write(message, wrong ?? "The code is being made …");
    message.classList.toggle("wrong", wrong !== null);
    if (wrong !== null) return input.focus();
    lastName = typed;
    make.disabled = true;
    const made = await makeCode(run, typed, answers).catch(() => ({ problem: FAILED }));
    make.disabled = false;
    message.classList.toggle("wrong", "problem" in made);
    write(message, "problem" in made ? made.problem : made.sentence);
    output.hidden = "problem" in made;
    if ("problem" in made) return;
    output.replaceChildren(...(await outputOf(made.code)));
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

/** The code of the open run, with a sentence on what it says; or what prevents it. */
async function makeCode(
  run: Run,
  name: string,
  answers: Answer[],
): Promise<{ code: string; sentence: string } | { problem: string }> {
  const taken = await resultOf(run, name, answers);
  if ("problem" in taken) return taken;
  const code = await writeCode(taken.result);
  if (code === null) return { problem: "This run has too many changes for a code. “Save recipe” holds them." };
  const { metric, curve } = taken.result;
  const spec = run.series.spec(metric);
  const value = withUnit(formatNumber(curve.values.at(-1) ?? NaN, 4, spec?.unit), spec?.unit ?? "");
  const place = `${run.lab?.about.unit ?? "unit"} ${taken.units}`;
  return { code, sentence: `${name}, seed ${run.origin().seed}, ${place}: ${spec?.label ?? metric} ${value}.` };
}

/** The address with which a teacher's page takes a code. */
export const resultLink = (code: string): string => `${location.origin}${location.pathname}#/class?result=${code}`;

async function outputOf(code: string): Promise<Element[]> {
  const link = resultLink(code);
  const text = el("textarea", { class: "mono result-text", readonly: true, rows: 3, "aria-label": "Result code" });
  text.value = code;
  listen(text, { focus: () => text.select() });
  const picture = await qrCode(link, "QR code of this result").catch(() => null);
  const hint = picture
    ? "The camera of a phone opens this QR code on the page “A class”, which collects it on that phone."
    : "This code is too long for a QR code. Copy it as a text.";
  return [
    ...(picture ? [picture] : []),
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
