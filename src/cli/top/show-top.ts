/** `limpet top`: updates all sessions once a second, draws what changed, and handles keys. */

import { deferred } from "../../base/deferred.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { HostClient } from "../../host/client/host-client.ts";
import type { SessionService } from "../../service/session-service.ts";
import { attachTo } from "../attach/attach-to.ts";
import { detachKeyIn } from "../attach/detach-key-arg.ts";
import { UserTerminal } from "../attach/user-terminal.ts";
import { keysOf } from "../print/keys-of.ts";
import { CLEAR_SCREEN, ENTER_ALTERNATE_SCREEN, HIDE_CARET } from "../print/terminal-sequences.ts";
import { requireOutsideSession } from "../require-outside-session.ts";
import { FIRST_MODEL, press, type TopAction, type TopModel, withSessions } from "./top-model.ts";
import { changesBetween, topView } from "./top-view.ts";

const LOOK_EVERY_MS = 1_000;

/** Runs until the person quits. Rejects with `HOST_GONE` if the host dies. Always restores the terminal. */
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

/** Returns the message to show in the table. */
async function sitDown(sessions: HostClient, id: number): Promise<string> {
  try {
    await requireOutsideSession(sessions, id);
    const end = await attachTo(sessions, id, { isReadOnly: false, takesSize: false, detachKey: detachKeyIn({}) });
    return end.kind === "detached" ? `Detached from ${id}.` : `${id} has ended.`;
  } catch (error) {
    if (error instanceof LimpetError && !error.code.startsWith("HOST_")) return error.message;
    throw error;
  }
}

/** The table, from its first drawing until a key quits or attaches. */
class TopScreen {
  readonly #sessions: SessionService;
  readonly #terminal: UserTerminal;
  readonly #leaving = deferred<TopAction>();
  #model: TopModel;
  #drawn: readonly string[] = [];
  #lookedMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLeft = false;

  constructor(sessions: SessionService, model: TopModel) {
    this.#sessions = sessions;
    this.#model = model;
    this.#terminal = UserTerminal.take({
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
      // An answer that arrives after the table is closed must not schedule another update.
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
    const lines = topView(this.#model, this.#terminal.size);
    this.#terminal.write(changesBetween(this.#drawn, lines));
    this.#drawn = lines;
  }
}
