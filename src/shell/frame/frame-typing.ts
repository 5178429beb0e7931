/** Hands a command to its shell: writes its texts, types the line that makes the shell read them, expects the marks. */
import type { Probe } from "../../transport/probe.ts";
import type { Dialect, FrameRequest } from "../dialects/dialect.ts";
import type { FrameFilter } from "./frame-filter.ts";
import type { GateWatch } from "./gate-watch.ts";
import { newNonce } from "./mark.ts";
import type { ShellFiles } from "./shell-files.ts";

/** A command, and what the shell reported at the end of the last one. */
export type TypedRequest = Omit<FrameRequest, "nonce" | "paths">;

interface TypingParts {
  readonly probe: Probe;
  readonly dialect: Dialect;
  readonly filter: FrameFilter;
  readonly files: ShellFiles;
  readonly gate: GateWatch;
  readonly promptNonce: string;
}

export class FrameTyping {
  readonly #parts: TypingParts;

  constructor(parts: TypingParts) {
    this.#parts = parts;
  }

  /** From now on, marks of earlier commands do not count. Throws `RESOURCE_EXHAUSTED`. */
  type(request: TypedRequest): void {
    const nonce = newNonce();
    this.#parts.filter.expect({ start: nonce, end: nonce, tail: nonce });
    this.#type({ ...request, nonce });
  }

  /** Asks the shell for its state. The command may still start. The shell gets the nonce of its answer at a gate. */
  ask(reported: Pick<TypedRequest, "flags" | "status">): void {
    const nonce = newNonce();
    this.#parts.filter.expect({ end: newNonce(), tail: nonce });
    this.#type({ ...reported, command: undefined, redirects: "", nonce });
    this.#parts.gate.watchForAnswer();
  }

  #type(request: Omit<FrameRequest, "paths">): void {
    const { probe, dialect, files, gate, promptNonce } = this.#parts;
    gate.forget();
    let line = "";
    files.write((paths) => {
      const text = dialect.frame({ ...request, paths }, promptNonce);
      line = text.line;
      return text;
    });
    probe.typeUnseen(Buffer.from(`${line}\n`, "latin1"));
  }
}
