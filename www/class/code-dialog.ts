// The dialog in which a pupil makes a code without a server: it asks for a name, and shows the code as a QR code and as
// a text.

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
  /** What has changed since the code was made, as a sentence; empty for nothing. */
  since?: () => string;
  closed?: () => void;
}

const FAILED = "The code could not be made. Try again.";

/** The name that was typed last since the page was loaded. */
let lastName = "";

/** What the owner of an open dialog tells it. */
export interface CodeDialog {
  /** The pupil has chosen otherwise, so a code that was made is not theirs any more. */
  invalidate: () => void;
  /** Asks anew what has changed since the code was made. */
  refresh: () => void;
}

/** Opens the dialog; null if one is open. */
export function openCodeDialog(options: CodeDialogOptions): CodeDialog | null {
  if (document.querySelector(".code-dialog")) return null;
  const { title, lead, name, choice, make } = options;
  const whatName = options.replacesSameName ? "one that nobody else in your class uses" : "one that you choose";
  const isReady = name !== "" && !choice;
  const input = el("input", {
    type: "text",
    id: "code-name",
    autocomplete: "off",
    maxlength: 2 * MAX_NAME, // in UTF-16 units, of which a character may have two
    value: name || lastName,
  });
  const message = el("p", { class: "class-message", role: "status" });
  const output = el("div", { class: "code-output", hidden: true });
  const makeButton = el("button", { type: "submit", class: "button primary", text: "Make the code" });
  const form = el(
    "form",
    { class: "class-form", novalidate: true, hidden: isReady },
    el("label", { for: "code-name", text: `Your name, or ${whatName} (at most ${MAX_NAME} characters)` }),
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
  /**
   * The number of the latest request. It is raised by `invalidate` too, so that a code that is being made is dropped.
   */
  let latest = 0;
  /** Sums up the code that is shown. */
  let sentence = "";

  const say = (text: string, isProblem: boolean) => {
    write(message, text);
    message.classList.toggle("wrong", isProblem);
    // Whatever went wrong, there is a button with which to try again.
    if (isProblem) form.hidden = false;
  };
  const refresh = () => {
    if (!output.hidden) say([sentence, options.since?.() ?? ""].filter(Boolean).join(" "), false);
  };
  const submit = async () => {
    const pupil = tidy(input.value);
    output.hidden = true; // it may hold the code of another pupil
    const problem = problemWith(pupil, "The name", MAX_NAME);
    if (problem !== null) {
      say(problem, true);
      return input.focus();
    }
    // A name that the caller gave belongs to its class, so it is not offered in another dialog.
    if (name === "") lastName = pupil;
    const request = ++latest;
    say("The code is being made …", false);
    makeButton.disabled = true;
    const made = await make(pupil).catch(() => ({ problem: FAILED }));
    const elements = "problem" in made ? [] : await codeElements(title, made.code);
    makeButton.disabled = false;
    if (request !== latest) return;
    if ("problem" in made) return say(made.problem, true);
    output.replaceChildren(...elements);
    output.hidden = false;
    output.scrollIntoView({ block: "nearest" });
    sentence = made.sentence;
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
  if (isReady) void submit();
  else input.focus();
  const invalidate = () => {
    latest++;
    if (!output.hidden || makeButton.disabled) say("What is ticked has changed. Make the code again.", false);
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
  const picture = await qrCode(link, `QR code of this ${title.toLowerCase()}`).catch(() => "missing" as const);
  const qr = picture === "missing" ? null : picture;
  const hint =
    picture === "missing"
      ? `The QR code could not be drawn. ${NOT_LOADED} The code can be copied as text.`
      : picture
        ? "For your teacher: a phone that scans this picture opens the page “A class” and keeps the code there."
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
