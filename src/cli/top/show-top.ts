/** `limpet top`: updates all sessions once a second, draws what changed, and handles keys. */

import { deferred } from "../../base/async/deferred.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { HostClient } from "../../host/client/host-client.ts";
import { CLEAR_SCREEN, ENTER_ALTERNATE_SCREEN, HIDE_CARET } from "../../screen/painting/terminal-sequences.ts";
import type { Snapshot } from "../../screen/snapshot.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { SessionService } from "../../service/session-service.ts";
import { attachTo } from "../attach/attach-to.ts";
import { detachKeyIn } from "../attach/detach-key-arg.ts";
import { keepRawMode, UserTerminal } from "../attach/user-terminal.ts";
import { keysOf } from "../print/keys-of.ts";
import { requireOutsideSession } from "../require-outside-session.ts";
import { readPersonScreen } from "../view/person-screen.ts";
import { describeDecision } from "./top-approval.ts";
import {
  FIRST_MODEL,
  press,
  selectedRow,
  type TopAction,
  type TopModel,
  withApprovals,
  withSessions,
} from "./top-model.ts";
import { changesBetween, previewRows, topView } from "./top-view.ts";

const LOOK_EVERY_MS = 1_000;

/** Runs until the person quits. Rejects with `HOST_GONE` if the host dies. Always restores the terminal. */
export async function showTop(sessions: HostClient): Promise<void> {
  const endRawMode = keepRawMode();
  try {
    let model = FIRST_MODEL;
    for (;;) {
      const screen = new TopScreen(sessions, model);
      const action = await screen.run();
      model = screen.model;
      if (action.kind === "quit") return;
      if (action.kind === "attach") model = { ...model, message: await attachFrom(sessions, action) };
    }
  } finally {
    endRawMode();
  }
}

/** Returns the message to show in the table. */
async function attachFrom(sessions: HostClient, { key, isReadOnly }: TopAction & { kind: "attach" }): Promise<string> {
  try {
    await requireOutsideSession(sessions, key);
    const end = await attachTo(sessions, key, { isReadOnly, takesSize: false, detachKey: detachKeyIn({}) });
    return end.kind === "detached" ? `Detached from ${key}.` : `${key} has ended.`;
  } catch (error) {
    if (error instanceof LimpetError && !error.code.startsWith("HOST_")) return error.message;
    throw error;
  }
}

function selectedKey(model: TopModel): SessionKey | undefined {
  const row = selectedRow(model);
  return row && keyOf(row);
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
  #preview: Snapshot | undefined;
  /** What the preview shows, so that it is read only when that has changed. */
  #previewed = "";

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
      const [all, approvals] = await Promise.all([
        this.#sessions.list({ ended: this.#model.showsEnded }),
        this.#sessions.approvals.list(),
      ]);
      // An answer that arrives after the table is closed must not schedule another update.
      if (this.#isLeft) return;
      const nowMs = performance.now();
      const elapsedMs = this.#lookedMs === 0 ? 0 : nowMs - this.#lookedMs;
      this.#model = withApprovals(withSessions(this.#model, all, elapsedMs), approvals);
      this.#lookedMs = nowMs;
      this.#draw();
      await this.#lookAtScreen();
      if (this.#isLeft) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#look(), LOOK_EVERY_MS);
    } catch (error) {
      this.#leaving.reject(error);
    }
  }

  /** Reads the screen of the selected session, if it is shown and has changed. */
  async #lookAtScreen(): Promise<void> {
    const row = selectedRow(this.#model);
    if (!row || previewRows(this.#model, this.#terminal.size) === 0) return;
    const key = keyOf(row);
    const now = JSON.stringify([key, row.outputBytes, row.command, row.size]);
    if (now === this.#previewed) return;
    if (this.#preview && !this.#previewed.startsWith(`[${JSON.stringify(key)},`)) this.#preview = undefined;
    this.#previewed = now;
    const preview = await readPersonScreen(this.#sessions, key).catch((error: unknown) => {
      // It was closed meanwhile, so the next list does not have it.
      if (!(error instanceof LimpetError) || error.code.startsWith("HOST_")) throw error;
      return undefined;
    });
    // Another session may have been selected meanwhile.
    if (this.#previewed !== now) return;
    this.#preview = preview;
    this.#draw();
  }

  #onInput(text: string): void {
    const before = selectedKey(this.#model);
    const keys = keysOf(text);
    while (keys.length > 0 && !this.#isLeft) {
      const { model, action } = press(this.#model, keys.shift() ?? "", this.#terminal.size);
      this.#model = model;
      if (action) this.#do(action);
    }
    // Keys typed after Enter go to the session.
    if (this.#isLeft) this.#terminal.giveBack(keys.join(""));
    if (selectedKey(this.#model) !== before) {
      this.#preview = undefined;
      void this.#lookAtScreen().catch((error: unknown) => this.#leaving.reject(error));
    }
    this.#draw();
  }

  #do(action: TopAction): void {
    switch (action.kind) {
      case "look":
        return void this.#look();
      case "kill":
        return void this.#kill(action.key);
      case "decide":
        return void this.#decide(action);
      case "hold":
      case "release":
        return void this.#hold(action);
      default:
        this.#isLeft = true;
        this.#leaving.resolve(action);
    }
  }

  async #kill(key: SessionKey): Promise<void> {
    const message = await this.#sessions.close(key, { force: false }).then(
      ({ report }) => `Killed ${key}: ${report.ended.length} processes.`,
      (error: Error) => error.message,
    );
    this.#model = { ...this.#model, message };
    await this.#look();
  }

  async #decide({ number, decision }: TopAction & { readonly kind: "decide" }): Promise<void> {
    const message = await this.#sessions.approvals.decide(number, decision).then(
      () => describeDecision(number, decision),
      (error: Error) => error.message,
    );
    this.#model = { ...this.#model, message };
    await this.#look();
  }

  async #hold({ kind, key }: { readonly kind: "hold" | "release"; readonly key: SessionKey }): Promise<void> {
    const done = kind === "hold" ? this.#sessions.hold(key, { reason: null }) : this.#sessions.release(key);
    const message = await done.then(
      () => (kind === "hold" ? `Held ${key}: agents cannot type.` : `Released ${key}: agents can type.`),
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
    const lines = topView(this.#model, this.#terminal.size, this.#preview);
    this.#terminal.write(changesBetween(this.#drawn, lines));
    this.#drawn = lines;
  }
}
