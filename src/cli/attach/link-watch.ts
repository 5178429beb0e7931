/**
 * The messages about the link to a place that an attached person sees. Keys that could not be sent are never shown as
 * sent.
 */
import type { HostClient } from "../../host/client/host-client.ts";
import type { SessionService } from "../../service/session-service.ts";

/** Sessions of this machine have no link that could break. */
export type LinkedService = SessionService & Partial<Pick<HostClient, "isFar" | "onLink">>;

/** If an answer takes longer than this, the person gets a message. */
const SLOW_MS = 3_000;
/** Long enough to read it. */
const BACK_MS = 5_000;

const LOST = "Link lost, connecting again… Keys are not sent.";
const SLOW = "The link is slow: what you typed has not arrived yet.";
const BACK = "Connected again.";
const CUT = "Connected again. The keys that you typed when the link broke may not have arrived.";

interface LinkWatchOptions {
  /** The message changed, or there is none. */
  readonly onChange: () => void;
  readonly onBack: () => void;
}

export class LinkWatch {
  readonly #options: LinkWatchOptions;
  readonly #isFar: boolean;
  readonly #stop: () => void;
  #state: "up" | "slow" | "lost" | "back" = "up";
  #isCut = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(sessions: LinkedService, options: LinkWatchOptions) {
    this.#options = options;
    this.#isFar = sessions.isFar ?? false;
    this.#stop = sessions.onLink?.((state) => this.#note(state)) ?? (() => undefined);
  }

  get isLost(): boolean {
    return this.#state === "lost";
  }

  /** Undefined if there is nothing to say. */
  get notice(): string | undefined {
    switch (this.#state) {
      case "lost":
        return LOST;
      case "slow":
        return SLOW;
      case "back":
        return this.#isCut ? CUT : BACK;
      default:
        return undefined;
    }
  }

  /** Shows a message if the write takes long. */
  async during(write: Promise<void>): Promise<void> {
    const timer = this.#isFar ? setTimeout(() => this.#set("slow"), SLOW_MS) : undefined;
    try {
      await write;
    } finally {
      clearTimeout(timer);
      if (this.#state === "slow") this.#set("up");
    }
  }

  /** A write was on its way when the link broke. */
  noteCut(): void {
    this.#isCut = true;
    this.#options.onChange();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stop();
  }

  #note(state: "lost" | "up"): void {
    if (state === "lost") {
      this.#isCut = false;
      this.#set("lost");
    } else if (this.#state === "lost") {
      this.#set("back");
      this.#timer = setTimeout(() => this.#set("up"), BACK_MS);
      this.#options.onBack();
    }
  }

  #set(state: "up" | "slow" | "lost" | "back"): void {
    clearTimeout(this.#timer);
    if (state === "slow" && this.#state === "lost") return;
    this.#state = state;
    this.#options.onChange();
  }
}
