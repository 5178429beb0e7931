/**
 * Loads pictures of screens into their elements: only of tiles that a person sees, only when they have changed, and a
 * few at a time.
 */
import { choosePictures, type PictureSlot } from "../state/choose-pictures.ts";
import { pictureAddress } from "../state/requests.ts";

type Slot = { -readonly [Name in keyof PictureSlot]: PictureSlot[Name] } & { loading: string };

const slots = new Map<HTMLImageElement, Slot>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** Loaded a little before they are scrolled to. */
const watcher = new IntersectionObserver(noteVisible, { rootMargin: "100px" });

export function wantPicture(image: HTMLImageElement, key: string, version: string): void {
  const known = slots.get(image);
  if (known) known.wanted = version;
  else addSlot(image, key, version);
  pump();
}

export function dropPicture(image: HTMLImageElement): void {
  watcher.unobserve(image);
  slots.delete(image);
}

function addSlot(image: HTMLImageElement, key: string, version: string): void {
  const idle = { isVisible: false, isLoading: false, startedMs: 0, loading: "" };
  slots.set(image, { key, shown: null, wanted: version, ...idle });
  watcher.observe(image);
  // A picture that could not be loaded is not tried again until it changes.
  for (const end of ["load", "error"]) image.addEventListener(end, () => finish(image));
}

function noteVisible(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    const slot = slots.get(target as HTMLImageElement);
    if (slot) slot.isVisible = isIntersecting;
  }
  pump();
}

function finish(image: HTMLImageElement): void {
  const slot = slots.get(image);
  if (slot) {
    slot.isLoading = false;
    slot.shown = slot.loading;
  }
  pump();
}

function pump(): void {
  clearTimeout(timer);
  if (document.hidden) return;
  const nowMs = performance.now();
  const { start, againMs } = choosePictures(slots.values(), nowMs);
  for (const [image, slot] of slots) {
    if (!start.includes(slot.key)) continue;
    slot.isLoading = true;
    slot.loading = slot.wanted;
    slot.startedMs = nowMs;
    image.src = pictureAddress(slot.key, slot.wanted);
  }
  if (againMs !== null) timer = setTimeout(pump, Math.max(1, againMs - nowMs));
}

document.addEventListener("visibilitychange", pump);
