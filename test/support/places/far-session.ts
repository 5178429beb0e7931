/** A session of a host elsewhere, with the methods of one in this process that tests of waiting and screens use. */
import type { HostClient } from "../../../src/host/client/host-client.ts";
import type { ScreenWaitOptions, ScreenWaitResult } from "../../../src/screen/wait-for-screen.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import type { ScreenView } from "../../../src/service/turn/turn-answer.ts";
import type { OpenOptions } from "../../../src/session/open/open-options.ts";
import type { Session } from "../../../src/session/session.ts";
import type { WaitResult } from "../../../src/session/wait/decide-wait.ts";
import type { WaitOptions } from "../../../src/session/wait/wait-for.ts";
import { clientOfPlace } from "./place-under-test.ts";

/** Each wait uses a new caller, which has read nothing, like a wait on a session object. */
const stranger = () => crypto.randomUUID();

export class FarSession {
  readonly #client: HostClient;
  readonly #id: number;
  #position = 0;

  private constructor(client: HostClient, id: number) {
    this.#client = client;
    this.#id = id;
  }

  static async open(options: OpenOptions): Promise<FarSession> {
    const client = clientOfPlace();
    const { transport: _transport, baseEnv: _baseEnv, ...start } = options;
    const { id } = await startSession(client, start as Parameters<typeof startSession>[1]);
    return new FarSession(client, id);
  }

  async wait({ signal, from, ...wait }: WaitOptions = {}): Promise<WaitResult> {
    const { result } = await this.#client.turn({
      caller: stranger(),
      on: { kind: "session", key: this.#id },
      wait: { kind: "output", from: from ?? this.#position, ...wait },
      signal,
    });
    if (from === undefined) this.#position = result?.cursor ?? this.#position;
    return result as WaitResult;
  }

  async waitForScreen(wait: ScreenWaitOptions): Promise<ScreenWaitResult> {
    const { screen } = await this.#client.turn({
      caller: stranger(),
      on: { kind: "session", key: this.#id },
      wait: { kind: "screen", ...wait },
      read: { kind: "screen" },
    });
    return screen as ScreenView as ScreenWaitResult;
  }

  async readText({
    from = 0,
  }: {
    readonly from?: number;
  } = {}): Promise<{ readonly text: string; readonly next: number }> {
    const { outputBytes } = await this.#client.find(this.#id);
    const parts: Uint8Array[] = [];
    let next = from;
    if (next < outputBytes) {
      for await (const page of this.#client.output(this.#id, { from })) {
        parts.push(page.bytes);
        next = page.next;
        if (next >= outputBytes) break;
      }
    }
    return { text: Buffer.concat(parts).toString(), next };
  }

  async write(text: string): Promise<void> {
    await this.#client.write(this.#id, text);
  }

  async signal(
    signal: NodeJS.Signals,
    { to }: { readonly to?: "foreground" | "program" | "tree" } = {},
  ): Promise<void> {
    await this.#client.signal(this.#id, { signal, to });
  }

  async discard(): Promise<void> {
    await this.#client.close(this.#id, { force: true });
    this.#client.disconnect();
  }
}

/** Waits for the screen of a session, wherever it is. */
export async function waitForAnyScreen(session: Session, options: ScreenWaitOptions): Promise<ScreenWaitResult> {
  if (session instanceof FarSession) return await session.waitForScreen(options);
  const { waitForScreen } = await import("../../../src/screen/wait-for-screen.ts");
  return await waitForScreen(session, options);
}
