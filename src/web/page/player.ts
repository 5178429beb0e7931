/**
 * Plays a recording in its page: draws the rows of each frame when it is due. Keys: space plays and pauses, the arrows
 * seek by five seconds, + and - change the speed, Home and End jump.
 */
import type { Frame, PlayerData } from "../../screen/picture/player/player-data.ts";

const SVG = "http://www.w3.org/2000/svg";
const SPEEDS = [0.25, 0.5, 1, 1.5, 2, 4, 8, 16];
const SEEK_MS = 5_000;

const data = JSON.parse(byId("recording").textContent ?? "") as PlayerData;
const { frames, rows, totalMs, chapters, rowHeight } = data;
const drawnRows = drawRows();
const caret = document.createElementNS(SVG, "path");
caret.setAttribute("class", "caret");

const playButton = document.createElement("button");
const slider = document.createElement("input");
const clock = document.createElement("output");
const speedBox = document.createElement("select");
const chapterButtons = chapters.map(({ atMs, label }) => chapterButton(atMs, label));

let positionMs = 0;
let frame = -1;
let speed = 1;
let isPlaying = false;
let lastTickMs = 0;

build();
show(0);
if (!matchMedia("(prefers-reduced-motion: reduce)").matches) play();

/** A group for the background of each row, then the caret as a block, then the texts, then a thin caret. */
function drawRows(): readonly { readonly ground: Element; readonly text: Element }[] {
  const most = Math.max(0, ...frames.flatMap((each) => each.rows.map(([row]) => row + 1)));
  const layer = (): Element[] =>
    Array.from({ length: most }, (_, row) => {
      const group = document.createElementNS(SVG, "g");
      group.setAttribute("transform", `translate(0 ${row * rowHeight})`);
      return group;
    });
  const [grounds, texts] = [layer(), layer()];
  byId("rows").append(...grounds, ...texts);
  return grounds.map((ground, row) => ({ ground, text: texts[row] as Element }));
}

function build(): void {
  playButton.type = "button";
  slider.type = "range";
  slider.max = String(totalMs);
  slider.step = "10";
  slider.setAttribute("aria-label", "Position");
  speedBox.setAttribute("aria-label", "Speed");
  for (const each of SPEEDS) speedBox.append(new Option(`${each}×`, String(each), each === 1, each === 1));
  playButton.addEventListener("click", () => (isPlaying ? pause() : play()));
  slider.addEventListener("input", () => show(Number(slider.value)));
  speedBox.addEventListener("change", () => setSpeed(Number(speedBox.value)));
  const controls = byId("controls");
  controls.append(playButton, slider, clock, speedBox);
  if (chapterButtons.length > 0) {
    const list = document.createElement("ol");
    list.setAttribute("aria-label", "Commands");
    for (const button of chapterButtons) list.append(wrap("li", button));
    controls.append(list);
  }
  document.addEventListener("keydown", onKey);
  nameButton();
}

function chapterButton(atMs: number, label: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = `${describeTime(atMs)}  ${label}`;
  button.addEventListener("click", () => show(atMs));
  return button;
}

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isControl = event.target instanceof HTMLElement && event.target !== document.body;
  // A control that has the focus has these keys for itself.
  if (isControl && [" ", "ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
  const act = {
    " ": () => (isPlaying ? pause() : play()),
    ArrowLeft: () => show(positionMs - SEEK_MS),
    ArrowRight: () => show(positionMs + SEEK_MS),
    Home: () => show(0),
    End: () => show(totalMs),
    "+": () => setSpeed(nextSpeed(1)),
    "-": () => setSpeed(nextSpeed(-1)),
  }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function nextSpeed(step: number): number {
  return SPEEDS[SPEEDS.indexOf(speed) + step] ?? speed;
}

function setSpeed(next: number): void {
  speed = next;
  speedBox.value = String(next);
}

function play(): void {
  if (positionMs >= totalMs) show(0);
  isPlaying = true;
  lastTickMs = performance.now();
  nameButton();
  requestAnimationFrame(tick);
}

function pause(): void {
  isPlaying = false;
  nameButton();
}

function tick(nowMs: number): void {
  if (!isPlaying) return;
  show(positionMs + Math.max(0, nowMs - lastTickMs) * speed);
  lastTickMs = nowMs;
  if (positionMs >= totalMs) pause();
  else requestAnimationFrame(tick);
}

function nameButton(): void {
  playButton.textContent = isPlaying ? "Pause" : "Play";
}

function show(atMs: number): void {
  positionMs = Math.min(Math.max(0, atMs), totalMs);
  const due = frameAt(positionMs);
  // Frames say what has changed: to go back, begin anew.
  const from = due < frame ? clear() : frame;
  for (let next = from + 1; next <= due; next += 1) for (const row of frames[next]?.rows ?? []) drawRow(row);
  if (due !== frame) drawCaret(frames[due]?.caret ?? null);
  frame = due;
  slider.value = String(positionMs);
  clock.textContent = `${describeTime(positionMs)} / ${describeTime(totalMs)}`;
  const current = chapters.findLastIndex((chapter) => chapter.atMs <= positionMs);
  for (const [index, button] of chapterButtons.entries())
    button.setAttribute("aria-current", String(index === current));
}

/** The last frame that begins at or before this time; the first one begins at 0. */
function frameAt(atMs: number): number {
  let [low, high] = [0, frames.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((frames[middle]?.atMs ?? 0) <= atMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

function clear(): number {
  for (const row of drawnRows.keys()) drawRow([row, 0, 0]);
  return -1;
}

/** The rows are SVG of ours, in which text is escaped, and the policy of the page lets nothing in them run. */
function drawRow([row, ground, text]: Frame["rows"][number]): void {
  const drawn = drawnRows[row];
  if (!drawn) return;
  drawn.ground.innerHTML = rows[ground] ?? "";
  drawn.text.innerHTML = rows[text] ?? "";
}

function drawCaret(shown: Frame["caret"]): void {
  caret.remove();
  if (!shown) return;
  caret.setAttribute("d", shown.path);
  const firstText = drawnRows[0]?.text;
  if (shown.isBlock && firstText) firstText.before(caret);
  else byId("rows").append(caret);
}

function describeTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function wrap(tag: "li", child: Element): HTMLElement {
  const element = document.createElement(tag);
  element.append(child);
  return element;
}

function byId(id: string): Element {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element ${id}.`);
  return found;
}
