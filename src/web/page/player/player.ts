/**
 * Plays a recording: draws the rows of each frame when it is due. Keys: space plays and pauses, the arrows seek by five
 * seconds, + and - change the speed, Home and End jump.
 */
import type { Frame, PlayerData } from "../../../screen/picture/player/player-data.ts";

const SVG = "http://www.w3.org/2000/svg";
const SPEEDS = [0.25, 0.5, 1, 1.5, 2, 4, 8, 16];
const SEEK_MS = 5_000;
const SLIDER_STEP_MS = 10;

/** Where a player draws. */
export interface PlayerParts {
  /** The group of an SVG in which the rows are. */
  readonly rows: Element;
  readonly controls: Element;
}

type Layers = readonly { readonly ground: Element; readonly text: Element }[];

export class Player {
  readonly #data: PlayerData;
  readonly #parts: PlayerParts;
  readonly #layers: Layers;
  readonly #caret = document.createElementNS(SVG, "path");
  readonly #playButton = document.createElement("button");
  readonly #slider = document.createElement("input");
  readonly #clock = document.createElement("output");
  readonly #speedBox = document.createElement("select");
  readonly #chapterButtons: readonly HTMLButtonElement[];
  readonly #gone = new AbortController();
  #positionMs = 0;
  #frame = -1;
  #speed = 1;
  #isPlaying = false;
  #lastTickMs = 0;

  /** Starts to play, unless the person prefers no motion. */
  constructor(data: PlayerData, parts: PlayerParts) {
    this.#data = data;
    this.#parts = parts;
    this.#layers = drawLayers(data, parts.rows);
    this.#caret.setAttribute("class", "caret");
    this.#chapterButtons = data.chapters.map(({ atMs, label }) => this.#chapterButton(atMs, label));
    this.#build();
    this.#show(0);
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.#play();
  }

  /** Stops, and leaves the page. */
  dispose(): void {
    this.#pause();
    this.#gone.abort();
    this.#parts.rows.replaceChildren();
    this.#parts.controls.replaceChildren();
  }

  #build(): void {
    this.#playButton.type = "button";
    this.#slider.type = "range";
    // A slider stops at its last whole step, which must not be before the last frame.
    this.#slider.max = String(Math.ceil(this.#data.totalMs / SLIDER_STEP_MS) * SLIDER_STEP_MS);
    this.#slider.step = String(SLIDER_STEP_MS);
    this.#slider.setAttribute("aria-label", "Position");
    this.#speedBox.setAttribute("aria-label", "Speed");
    for (const each of SPEEDS) this.#speedBox.append(new Option(`${each}×`, String(each), each === 1, each === 1));
    this.#playButton.addEventListener("click", () => (this.#isPlaying ? this.#pause() : this.#play()));
    this.#slider.addEventListener("input", () => this.#show(Number(this.#slider.value)));
    this.#speedBox.addEventListener("change", () => this.#setSpeed(Number(this.#speedBox.value)));
    this.#parts.controls.append(this.#playButton, this.#slider, this.#clock, this.#speedBox);
    if (this.#chapterButtons.length > 0) {
      const list = document.createElement("ol");
      list.setAttribute("aria-label", "Commands");
      for (const button of this.#chapterButtons) list.append(inItem(button));
      this.#parts.controls.append(list);
    }
    document.addEventListener("keydown", (event) => this.#onKey(event), { signal: this.#gone.signal });
    this.#nameButton();
  }

  #chapterButton(atMs: number, label: string): HTMLButtonElement {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `${describeTime(atMs)}  ${label}`;
    button.addEventListener("click", () => this.#show(atMs));
    return button;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isControl = event.target instanceof HTMLElement && event.target !== document.body;
    // A focused control handles these keys itself.
    if (isControl && [" ", "ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
    const act = {
      " ": () => (this.#isPlaying ? this.#pause() : this.#play()),
      ArrowLeft: () => this.#show(this.#positionMs - SEEK_MS),
      ArrowRight: () => this.#show(this.#positionMs + SEEK_MS),
      Home: () => this.#show(0),
      End: () => this.#show(this.#data.totalMs),
      "+": () => this.#setSpeed(this.#nextSpeed(1)),
      "-": () => this.#setSpeed(this.#nextSpeed(-1)),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  #nextSpeed(step: number): number {
    return SPEEDS[SPEEDS.indexOf(this.#speed) + step] ?? this.#speed;
  }

  #setSpeed(next: number): void {
    this.#speed = next;
    this.#speedBox.value = String(next);
  }

  #play(): void {
    if (this.#positionMs >= this.#data.totalMs) this.#show(0);
    this.#isPlaying = true;
    this.#lastTickMs = performance.now();
    this.#nameButton();
    requestAnimationFrame((nowMs) => this.#tick(nowMs));
  }

  #pause(): void {
    this.#isPlaying = false;
    this.#nameButton();
  }

  #tick(nowMs: number): void {
    if (!this.#isPlaying) return;
    this.#show(this.#positionMs + Math.max(0, nowMs - this.#lastTickMs) * this.#speed);
    this.#lastTickMs = nowMs;
    if (this.#positionMs >= this.#data.totalMs) this.#pause();
    else requestAnimationFrame((nextMs) => this.#tick(nextMs));
  }

  #nameButton(): void {
    this.#playButton.textContent = this.#isPlaying ? "Pause" : "Play";
  }

  #show(atMs: number): void {
    const { frames, totalMs, chapters } = this.#data;
    this.#positionMs = Math.min(Math.max(0, atMs), totalMs);
    const due = frameAt(frames, this.#positionMs);
    // Frames contain only changes, so seeking back starts over.
    const from = due < this.#frame ? this.#clear() : this.#frame;
    for (let next = from + 1; next <= due; next += 1) for (const row of frames[next]?.rows ?? []) this.#drawRow(row);
    if (due !== this.#frame) this.#drawCaret(frames[due]?.caret ?? null);
    this.#frame = due;
    this.#slider.value = String(this.#positionMs);
    this.#clock.textContent = `${describeTime(this.#positionMs)} / ${describeTime(totalMs)}`;
    const current = chapters.findLastIndex((chapter) => chapter.atMs <= this.#positionMs);
    for (const [index, button] of this.#chapterButtons.entries())
      button.setAttribute("aria-current", String(index === current));
  }

  #clear(): number {
    for (const row of this.#layers.keys()) this.#drawRow([row, 0, 0]);
    return -1;
  }

  /** The rows are SVG of ours, in which text is escaped, and the policy of the page lets nothing in them run. */
  #drawRow([row, ground, text]: Frame["rows"][number]): void {
    const drawn = this.#layers[row];
    if (!drawn) return;
    drawn.ground.innerHTML = this.#data.rows[ground] ?? "";
    drawn.text.innerHTML = this.#data.rows[text] ?? "";
  }

  #drawCaret(shown: Frame["caret"]): void {
    this.#caret.remove();
    if (!shown) return;
    this.#caret.setAttribute("d", shown.path);
    const firstText = this.#layers[0]?.text;
    if (shown.isBlock && firstText) firstText.before(this.#caret);
    else this.#parts.rows.append(this.#caret);
  }
}

/** A group for the background of each row, then the caret as a block, then the texts, then a thin caret. */
function drawLayers({ frames, rowHeight }: PlayerData, into: Element): Layers {
  const most = Math.max(0, ...frames.flatMap((each) => each.rows.map(([row]) => row + 1)));
  const layer = (): Element[] =>
    Array.from({ length: most }, (_, row) => {
      const group = document.createElementNS(SVG, "g");
      group.setAttribute("transform", `translate(0 ${row * rowHeight})`);
      return group;
    });
  const [grounds, texts] = [layer(), layer()];
  into.append(...grounds, ...texts);
  return grounds.map((ground, row) => ({ ground, text: texts[row] as Element }));
}

/** The last frame that begins at or before this time; the first one begins at 0. */
function frameAt(frames: readonly Frame[], atMs: number): number {
  let [low, high] = [0, frames.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((frames[middle]?.atMs ?? 0) <= atMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

function describeTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function inItem(child: Element): HTMLElement {
  const element = document.createElement("li");
  element.append(child);
  return element;
}
