/** State that views follow. */
import { useEffect, useState } from "preact/hooks";

export class Store<T> {
  readonly #listeners = new Set<() => void>();
  #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  /** Listeners are called only if the value is another one. */
  update(change: (value: T) => T): void {
    const next = change(this.#value);
    if (next === this.#value) return;
    this.#value = next;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Returns what ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The value, or a part of it. The view is drawn again when that part is another one. */
export function useStore<T, Part = T>(store: Store<T>, select: (value: T) => Part): Part {
  const [, draw] = useState({});
  const part = select(store.value);
  useEffect(() => {
    let drawn = part;
    const look = () => {
      const next = select(store.value);
      if (Object.is(next, drawn)) return;
      drawn = next;
      draw({});
    };
    // It may have changed between drawing and now.
    look();
    return store.subscribe(look);
  });
  return part;
}
