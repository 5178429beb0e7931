/** The screens of sessions as pictures: each drawn once per change, and a few at a time. */
import { createHash } from "node:crypto";
import { Semaphore } from "../../base/async/semaphore.ts";
import { BoundedMap } from "../../base/bounded-map.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { cropSnapshot } from "../../screen/picture/crop-snapshot.ts";
import { renderSvg } from "../../screen/picture/render-svg.ts";
import type { SessionService } from "../../service/session-service.ts";

export interface Picture {
  readonly svg: string;
  readonly etag: string;
}

interface Drawn extends Picture {
  /** What it was drawn from. */
  readonly face: string;
  readonly atMs: number;
}

/** More than a page shows at once. */
const MOST_PICTURES = 64;
/** A picture of half a million cells is not worth keeping. */
const MOST_KEPT_CHARS = 1024 * 1024;
/** At once; the others wait. */
const MOST_DRAWING = 2;
/** A picture that is younger than this is shown again, whatever has changed. */
const KEEP_MS = 500;

export class Pictures {
  readonly #sessions: SessionService;
  readonly #drawn = new BoundedMap<string, Drawn>(MOST_PICTURES);
  readonly #drawing = new Map<string, Promise<Drawn>>();
  readonly #places = new Semaphore(MOST_DRAWING);

  constructor(sessions: SessionService) {
    this.#sessions = sessions;
  }

  async of(key: string): Promise<Picture> {
    const known = this.#drawn.get(key);
    if (known && performance.now() - known.atMs < KEEP_MS) return known;
    const inProgress = this.#drawing.get(key);
    if (inProgress) return await inProgress;
    const drawing = this.#places.pass(() => this.#draw(key, known));
    this.#drawing.set(key, drawing);
    try {
      const drawn = await drawing;
      if (drawn.svg.length <= MOST_KEPT_CHARS) this.#drawn.set(key, drawn);
      return drawn;
    } finally {
      this.#drawing.delete(key);
    }
  }

  async #draw(key: string, known: Drawn | undefined): Promise<Drawn> {
    const { outputBytes, size, exit } = await this.#sessions.find(key);
    const face = JSON.stringify([outputBytes, size, exit !== null]);
    const atMs = performance.now();
    if (known?.face === face) return { ...known, atMs };
    const { screen } = await this.#sessions.turn({
      caller: "limpet web",
      on: { kind: "session", key },
      read: { kind: "screen", cells: true },
      isWatch: true,
    });
    if (!screen) throw new LimpetError("SESSION_NOT_FOUND", `Session ${key} has no screen. List the sessions.`);
    const svg = renderSvg(cropSnapshot(screen.snapshot));
    const etag = `"${createHash("sha256").update(svg).digest("base64url").slice(0, 22)}"`;
    return { svg, etag, face, atMs };
  }
}
