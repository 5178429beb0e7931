/**
 * A program in the person's own terminal, as if it had been started there: its output goes to the terminal as it is,
 * and its size follows the terminal's.
 */
import { randomUUID } from "node:crypto";
import type { Exit } from "../../base/exit.ts";
import { BELL } from "../../screen/painting/terminal-sequences.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { SessionService } from "../../service/session-service.ts";
import { findDetachKey } from "../attach/detach-key.ts";
import { detachKeyIn } from "../attach/detach-key-arg.ts";
import { InputPump } from "../attach/input-pump.ts";
import { sizeForSession, UserTerminal } from "../attach/user-terminal.ts";
import { followSession } from "../view/follow-session.ts";

/** Undefined if the person has detached. Rejects with `HOST_GONE` if the host dies. Always restores the terminal. */
export async function passThrough(sessions: SessionService, key: SessionKey): Promise<Exit | undefined> {
  const detachKey = detachKeyIn({});
  const leaving = new AbortController();
  const { signal } = leaving;
  const caller = `run ${randomUUID()}`;
  const pump = new InputPump({
    write: (bytes) => sessions.write(key, bytes, { caller, by: "person" }),
    onRefused: () => terminal.write(BELL),
  });
  const onInput = (bytes: Uint8Array) => {
    const found = findDetachKey(Buffer.from(bytes).toString("latin1"), detachKey);
    pump.push(found ? bytes.subarray(0, found.at) : bytes);
    if (found) leaving.abort();
  };
  // A program that has just ended has no terminal to resize.
  const onResize = () => void sessions.resize(key, sizeForSession()).catch(() => undefined);
  const terminal = UserTerminal.take({ onInput, onResize });
  try {
    onResize();
    return await followSession(sessions, key, {
      from: 0,
      signal,
      take: (part) => {
        if (part.kind !== "output") return;
        const { bytes, dropped } = part.page;
        if (dropped > 0) terminal.write(`\r\n[limpet: skipped ${dropped} bytes that came too fast to show]\r\n`);
        terminal.show(bytes);
      },
    });
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    leaving.abort();
    terminal.giveBack();
  }
}
