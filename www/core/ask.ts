// Questions: requests to the tools of a lab. A tool is what a lab can do with a network beside training it, such as
// solving, sampling or exporting. It works whether or not a picture is drawn.
// `Run.ask` sends questions to the worker of the run, or to one with the lab's tools alone (tools-worker.ts).

import type { Answer, LabTools, Request, ToolProgress } from "../generated/protocol";
import { nextId } from "./requests";

/** The tools of all labs. */
type AllTools = { [Lab in keyof LabTools]: LabTools[Lab] }[keyof LabTools];
/** The keys of all members of a union. */
type KeysOfAll<Types> = Types extends unknown ? keyof Types : never;
/** The ids of the tools of any lab. */
export type ToolId = KeysOfAll<AllTools>;
/** The types of a tool's input, events and output. */
type Typed<Tool extends ToolId> = AllTools extends infer Types
  ? Types extends Record<Tool, infer Found>
    ? Found
    : never
  : never;
export type ToolInput<Tool extends ToolId> = Typed<Tool> extends { input: infer Input } ? Partial<Input> : never;
export type ToolEvent<Tool extends ToolId> = Typed<Tool> extends { event: infer Event } ? Event : never;
export type ToolOutput<Tool extends ToolId> = Typed<Tool> extends { output: infer Output } ? Output : never;

/** The priority of a question that a person waits for, such as one about the position on the board. */
export const WAITED_FOR = 1;

export interface AskOptions<Tool extends ToolId> {
  /**
   * The checkpoint whose network is asked; without it, the network of the run. Only a lab whose tools have a bundle of
   * their own can be asked about another network.
   */
  source?: Uint8Array<ArrayBuffer>;
  /** The content of the file that the input names. The array is transferred to the worker. */
  file?: Uint8Array<ArrayBuffer>;
  /** Called with partial results. */
  onEvent?: (event: ToolEvent<Tool>) => void;
  /** Called now and then while the tool works. */
  onProgress?: (progress: ToolProgress) => void;
  /** Cancels the question. The answer is then what the worker has as a partial result, or null. */
  signal?: AbortSignal;
  /**
   * A whole number, 0 if left out. The questions to a worker with the largest one are worked on first, and take turns.
   * It changes no answer.
   */
  priority?: number;
}

export interface ToolAnswer<Tool extends ToolId> {
  /** Null if the question was ended before anything was known. */
  output: ToolOutput<Tool> | null;
  /** Whether the question was ended by its signal, so that the answer may be incomplete. */
  partial: boolean;
  /**
   * The number of completed units (training iterations) of the network that the answer is about; null if the question
   * ended before the network was copied.
   */
  units: number | null;
}

/**
 * Why a question has no answer: its input is wrong, or the worker is not there or has failed. `field` names the input
 * that is wrong, or is null.
 */
export class ToolRefusal extends Error {
  constructor(
    message: string,
    readonly field: string | null,
  ) {
    super(message);
  }
}

/** What is sent to a worker: a question, or that it is cancelled. */
export type Question = Extract<Request, { type: "ask" | "cancel" }>;

interface OpenQuestion {
  units: number | null;
  onEvent: (event: unknown) => void;
  onProgress: (progress: ToolProgress) => void;
  resolve: (answer: { output: unknown; partial: boolean; units: number | null }) => void;
  reject: (error: Error) => void;
}

/** Sends questions to a worker, and matches its answers to them. */
export class Questions {
  readonly #open = new Map<number, OpenQuestion>();

  /** `send` returns false if there is no worker that could answer. */
  constructor(readonly send: (request: Question) => boolean) {}

  /** Asks a tool. Rejects with a `ToolRefusal` if the tool cannot answer or the worker ends first. */
  ask<Tool extends ToolId>(
    tool: Tool,
    input: ToolInput<Tool>,
    { file, onEvent, onProgress, signal, priority }: AskOptions<Tool> = {},
  ): Promise<ToolAnswer<Tool>> {
    if (signal?.aborted) return Promise.resolve({ output: null, partial: true, units: null });
    const id = nextId();
    return new Promise((resolve, reject) => {
      const request: Question = {
        type: "ask",
        id,
        tool,
        input,
        ...(file && { bytes: file }),
        ...(priority && { priority }),
      };
      if (!this.send(request)) {
        reject(new ToolRefusal("no run is open", null));
        return;
      }
      const cancel = () => this.send({ type: "cancel", id });
      signal?.addEventListener("abort", cancel);
      const end = () => {
        this.#open.delete(id);
        signal?.removeEventListener("abort", cancel);
      };
      this.#open.set(id, {
        units: null,
        onEvent: (event) => onEvent?.(event as ToolEvent<Tool>),
        onProgress: (progress) => onProgress?.(progress),
        resolve: (answer) => {
          end();
          resolve(answer as ToolAnswer<Tool>);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      });
    });
  }

  /** Handles a message that answers a question in part or whole. */
  receive({ id, part }: Answer): void {
    const question = this.#open.get(id);
    if (!question) return; // its question ended when the worker was replaced
    if (part.kind === "begun") question.units = part.units;
    else if (part.kind === "event") question.onEvent(part.event);
    else if (part.kind === "progress") question.onProgress(part.progress);
    else if (part.kind === "output")
      question.resolve({ output: part.output, partial: part.partial, units: question.units });
    else question.reject(new ToolRefusal(part.message, part.field ?? null));
  }

  /** Rejects a question that the worker could not read, or whose bundle has no tools. */
  refuse(id: number | undefined, message: string): void {
    if (id !== undefined) this.#open.get(id)?.reject(new ToolRefusal(message, null));
  }

  /** Ends all questions, because the worker has ended. */
  close(reason = "the worker has ended"): void {
    for (const question of [...this.#open.values()]) question.reject(new ToolRefusal(reason, null));
  }
}
