/** State that views subscribe to. */
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

  /** Listeners are called only if the value has changed. */
  update(change: (value: T) => T): void {
    const next = change(this.#value);
    if (next === this.#value) return;
    this.#value = next;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The value, or a part of it. The view is drawn again when that part has changed. */
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
    // The value may have changed since the view was drawn.
    look();
    return store.subscribe(look);
  });
  return part;
}
