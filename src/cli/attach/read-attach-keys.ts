/**
 * What the keys of an attached person do. They go to the program, until the detach key: the key after it is a command,
 * such as `d` to detach. Pure: a mode and input in, the next mode and what to do out.
 */
import { keysOf } from "../print/keys-of.ts";
import { type DetachKey, findDetachKey } from "./detach-key.ts";

/** `menu`: the next key is a command. `scroll`: keys move in the output. */
export type AttachMode = "live" | "menu" | "scroll";

export type AttachAct =
  | { readonly kind: "type"; readonly bytes: Uint8Array }
  | { readonly kind: "detach" | "menu" | "scroll" | "search" | "hold" | "live" | "unknown" }
  /** A key in the output. */
  | { readonly kind: "key"; readonly key: string };

export interface AttachStep {
  readonly mode: AttachMode;
  readonly acts: readonly AttachAct[];
}

export function readAttachKeys(mode: AttachMode, bytes: Uint8Array, detachKey: DetachKey): AttachStep {
  const acts: AttachAct[] = [];
  let now = mode;
  let typed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  while (typed !== "") {
    if (now === "menu") {
      const step = menuStep(typed, detachKey);
      acts.push(step.act);
      if (step.act.kind === "detach") return { mode: "live", acts };
      now = step.act.kind === "scroll" || step.act.kind === "search" ? "scroll" : "live";
      typed = step.rest;
      continue;
    }
    const found = findDetachKey(typed, detachKey);
    const before = found ? typed.slice(0, found.at) : typed;
    if (before !== "") acts.push(...(now === "live" ? [typing(before)] : scrollKeys(before)));
    if (!found) break;
    acts.push({ kind: "menu" });
    now = "menu";
    typed = typed.slice(found.end);
  }
  return { mode: now, acts };
}

/** The line that is shown while the next key is a command. */
export function describeMenu({ name }: DetachKey, { isHeld }: { readonly isHeld: boolean }): string {
  const hold = isHeld ? "h let agents type" : "h hold agents off";
  return `d detach  [ scroll  / search  s send ${name}  ${hold}  Esc back`;
}

function menuStep(typed: string, detachKey: DetachKey): { readonly act: AttachAct; readonly rest: string } {
  const again = findDetachKey(typed, detachKey);
  if (again?.at === 0) return { act: { kind: "detach" }, rest: typed.slice(again.end) };
  const [key = ""] = keysOf(typed);
  return { act: menuAct(key, detachKey), rest: typed.slice(key.length) };
}

function menuAct(key: string, { byte }: DetachKey): AttachAct {
  switch (key) {
    case "d":
    case "\r":
      return { kind: "detach" };
    case "[":
      return { kind: "scroll" };
    case "/":
      return { kind: "search" };
    case "s":
      return typing(byte);
    case "h":
      return { kind: "hold" };
    case "\x1b":
    case "q":
      return { kind: "live" };
    default:
      return { kind: "unknown" };
  }
}

function scrollKeys(typed: string): readonly AttachAct[] {
  return keysOf(Buffer.from(typed, "latin1").toString("utf8")).map((key) => ({ kind: "key", key }));
}

function typing(typed: string): AttachAct {
  return { kind: "type", bytes: Buffer.from(typed, "latin1") };
}
