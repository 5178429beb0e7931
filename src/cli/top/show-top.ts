/** `limpet top`: looks at all sessions once a second, draws what has changed, and does what keys ask for. */

import { deferred } from "../../base/deferred.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { HostClient } from "../../host/host-client.ts";
import type { SessionService } from "../../service/session-service.ts";
import { attachTo, describeEnd } from "../attach/attach-to.ts";
import { CLEAR_SCREEN, ENTER_ALTERNATE_SCREEN, HIDE_CARET } from "../attach/sequences.ts";
import { OwnTerminal } from "../attach/user-terminal.ts";
import { printError } from "../print.ts";
import { requireElsewhere } from "../require-elsewhere.ts";
import { FIRST_MODEL, keysOf, press, type TopAction, type TopModel, withSessions } from "./model.ts";
import { changesBetween, viewOf } from "./view.ts";

const LOOK_EVERY_MS = 1_000;

/** Until the person quits. Rejects with `HOST_GONE` when the host is gone; the terminal is as it was. */
export async function showTop(sessions: HostClient): Promise<void> {
  let model = FIRST_MODEL;
  for (;;) {
    const screen = new TopScreen(sessions, model);
    const action = await screen.run();
    model = screen.model;
    if (action.kind === "quit") return;
    if (action.kind === "attach") model = { ...model, message: await sitDown(sessions, action.id) };
  }
}

/** Comes back with what to tell. */
async function sitDown(sessions: HostClient, id: number): Promise<string> {
  try {
    const session = await sessions.find(id);
    await requireElsewhere(sessions, id);
    const end = await attachTo(sessions, id, { isReadOnly: false, show: "screen" });
    // Seen when the person quits: the session is what stands above it then.
    printError(describeEnd(session, end));
    return end.kind === "detached" ? `Detached from ${id}.` : `${id} has ended.`;
  } catch (error) {
    if (error instanceof LimpetError && !error.code.startsWith("HOST_")) return error.message;
    throw error;
  }
}

/** The table on the screen, from when it is drawn until a key leads elsewhere. */
class TopScreen {
  readonly #sessions: SessionService;
  readonly #terminal: OwnTerminal;
  readonly #leaving = deferred<TopAction>();
  #model: TopModel;
  #drawn: readonly string[] = [];
  #lookedMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLeft = false;

  constructor(sessions: SessionService, model: TopModel) {
    this.#sessions = sessions;
    this.#model = model;
    this.#terminal = OwnTerminal.take({
      onInput: (bytes) => this.#onInput(Buffer.from(bytes).toString()),
      onResize: () => this.#redraw(),
      instead: "limpet ls",
    });
  }

  get model(): TopModel {
    return this.#model;
  }

  async run(): Promise<TopAction> {
    try {
      this.#terminal.write(ENTER_ALTERNATE_SCREEN + HIDE_CARET);
      this.#redraw();
      void this.#look();
      return await this.#leaving.promise;
    } finally {
      this.#isLeft = true;
      clearTimeout(this.#timer);
      this.#terminal.giveBack();
    }
  }

  async #look(): Promise<void> {
    if (this.#isLeft) return;
    clearTimeout(this.#timer);
    try {
      const all = await this.#sessions.list({ ended: this.#model.showsEnded });
      // An answer that comes after the person has left must not lead to the next look.
      if (this.#isLeft) return;
      const nowMs = performance.now();
      this.#model = withSessions(this.#model, all, this.#lookedMs === 0 ? 0 : nowMs - this.#lookedMs);
      this.#lookedMs = nowMs;
      this.#draw();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#look(), LOOK_EVERY_MS);
    } catch (error) {
      this.#leaving.reject(error);
    }
  }

  #onInput(text: string): void {
    for (const key of keysOf(text)) {
      const { model, action } = press(this.#model, key);
      this.#model = model;
      if (action) this.#do(action);
    }
    this.#draw();
  }

  #do(action: TopAction): void {
    switch (action.kind) {
      case "look":
        return void this.#look();
      case "kill":
        return void this.#kill(action.id);
      default:
        this.#leaving.resolve(action);
    }
  }

  async #kill(id: number): Promise<void> {
    const message = await this.#sessions.close(id, { force: false }).then(
      ({ report }) => `Killed ${id}: ${report.ended.length} processes.`,
      (error: Error) => error.message,
    );
    this.#model = { ...this.#model, message };
    await this.#look();
  }

  #redraw(): void {
    this.#terminal.write(CLEAR_SCREEN);
    this.#drawn = [];
    this.#draw();
  }

  #draw(): void {
    const lines = viewOf(this.#model, this.#terminal.size);
    this.#terminal.write(changesBetween(this.#drawn, lines));
    this.#drawn = lines;
  }
}
