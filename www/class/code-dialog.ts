// The dialog in which a pupil makes a code, a text that carries results to the teacher without a server: it asks for a
// name, and shows the code, also as a QR code.

import { button, el, listen, write } from "../core/dom";
import { copyButton } from "../ui/copy";
import { createDialog } from "../ui/dialog";
import { enlargeButton } from "./large-qr";
import { qrCode } from "./qr";
import { MAX_NAME, NOT_LOADED, problemWith, tidy } from "./text";
import "./class.css";

/** A code with a sentence that sums it up; or the problem as a sentence. */
export type MadeCode = { code: string; sentence: string } | { problem: string };

interface CodeDialogOptions {
  /** What the code is called: “Result code”. */
  title: string;
  /** What it holds, in a sentence or two. */
  lead: string;
  /** The name of a pupil who has one already; empty for none. */
  name: string;
  /** Whether a second code with the same name replaces the first, so that pupils must choose different names. */
  replacesSameName?: boolean;
  /**
   * What the pupil chooses before the code is made; null if there is no choice, so a named pupil gets the code at once.
   */
  choice: HTMLElement | null;
  make: (name: string) => Promise<MadeCode>;
  /** A sentence on what has changed since the code was made; empty if nothing has. */
  since?: () => string;
  closed?: () => void;
}

const FAILED = "The code could not be made. Try again.";

/** The name that was typed last since the page was loaded. */
let lastTypedName = "";

/** With this the caller updates an open dialog. */
export interface CodeDialog {
  /** The selection has changed: hides the code, and drops one that is still being made. */
  invalidate: () => void;
  /** Asks anew what has changed since the code was made. */
  refresh: () => void;
}

/** Opens the dialog; null if one is open. */
export function openCodeDialog(options: CodeDialogOptions): CodeDialog | null {
  if (document.querySelector(".code-dialog")) return null;
  const { title, lead, name, choice, make } = options;
  const nameLabel = options.replacesSameName
    ? `Your name or another one, which nobody else in your class may use (at most ${MAX_NAME} characters)`
    : `Your name, or one that you choose (at most ${MAX_NAME} characters)`;
  const makesAtOnce = name !== "" && !choice;
  const input = el("input", {
    type: "text",
    id: "code-name",
    autocomplete: "off",
    maxlength: 2 * MAX_NAME, // in UTF-16 units, of which a character may have two
    value: name || lastTypedName,
  });
  const message = el("p", { class: "class-message", role: "status" });
  const output = el("div", { class: "code-output", hidden: true });
  const makeButton = el("button", { type: "submit", class: "button primary", text: "Make the code" });
  const form = el(
    "form",
    { class: "class-form", novalidate: true, hidden: makesAtOnce },
    el("label", { for: "code-name", text: nameLabel }),
    el("div", { class: "row" }, input, makeButton),
  );
  const dialog = createDialog(
    {
      class: "code-dialog",
      titleId: "code-title",
      title,
      closed: () => {
        dialog.remove();
        options.closed?.();
      },
    },
    el("p", { class: "quiet small", text: lead }),
    choice && el("div", { class: "code-choice" }, choice),
    form,
    message,
    output,
    el(
      "p",
      { class: "dialog-actions" },
      button("Close", () => dialog.close()),
    ),
  );
  /** Incremented by each request and by `invalidate`, so that the answer to an older request is dropped. */
  let latestRequest = 0;
  /** Sums up the code that is shown. */
  let summary = "";

  const say = (text: string, isProblem: boolean) => {
    write(message, text);
    message.classList.toggle("wrong", isProblem);
    // Whatever went wrong, there is a button with which to try again.
    if (isProblem) form.hidden = false;
  };
  const refresh = () => {
    if (!output.hidden) say([summary, options.since?.() ?? ""].filter(Boolean).join(" "), false);
  };
  const submit = async () => {
    const pupil = tidy(input.value);
    output.hidden = true; // it may hold the code of another pupil
    const problem = problemWith(pupil, "The name", MAX_NAME);
    if (problem !== null) {
      say(problem, true);
      return input.focus();
    }
    // A name that the caller gave is that of the pupil in one class; other dialogs do not suggest it.
    if (name === "") lastTypedName = pupil;
    const request = ++latestRequest;
    say("The code is being made …", false);
    makeButton.disabled = true;
    const made = await make(pupil).catch(() => ({ problem: FAILED }));
    const elements = "problem" in made ? [] : await codeElements(title, made.code);
    makeButton.disabled = false;
    if (request !== latestRequest) return;
    if ("problem" in made) return say(made.problem, true);
    output.replaceChildren(...elements);
    output.hidden = false;
    output.scrollIntoView({ block: "nearest" });
    summary = made.sentence;
    refresh();
  };

  listen(form, {
    submit: (event) => {
      event.preventDefault();
      if (!makeButton.disabled) void submit();
    },
  });
  document.body.append(dialog);
  dialog.showModal();
  if (makesAtOnce) void submit();
  else input.focus();
  const invalidate = () => {
    latestRequest++;
    if (!output.hidden || makeButton.disabled) say("Your selection has changed. Make the code again.", false);
    output.hidden = true;
  };
  return { invalidate, refresh };
}

/** The link that opens the page “A class” and adds this code to it. */
const codeLink = (code: string): string => `${location.origin}${location.pathname}#/class?result=${code}`;

/** What the dialog shows of a code: its QR code, if it is short enough for one, and its text. */
export async function codeElements(title: string, code: string): Promise<Element[]> {
  const link = codeLink(code);
  const text = el("textarea", { class: "mono code-text", readonly: true, rows: 3, "aria-label": title });
  text.value = code;
  listen(text, { focus: () => text.select() });
  const picture = await qrCode(link, `QR code of this ${title.toLowerCase()}`).catch(() => "failed" as const); // null: too long
  const qr = picture === "failed" ? null : picture;
  const hint =
    picture === "failed"
      ? `The QR code could not be drawn. ${NOT_LOADED} The code can be copied as text.`
      : picture
        ? "For your teacher: a phone that scans this QR code opens the page “A class” and keeps the code there."
        : "This code is too long for a QR code. Copy it as text.";
  return [
    ...(qr ? [qr] : []),
    el("p", { class: "quiet small", text: hint }),
    text,
    el(
      "p",
      { class: "row" },
      copyButton("Copy the code", () => code, { select: () => text.select() }),
      copyButton("Copy a link with the code", () => link),
      qr && enlargeButton(qr, title),
    ),
  ];
}
