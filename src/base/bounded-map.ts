/**
 * A map that holds at most `maxSize` entries. The least recently used one goes first: `get` and `set` count as use.
 * Both reorder the entries, so do not call them while iterating over the same map.
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #maxSize: number;

  constructor(maxSize: number) {
    super();
    this.#maxSize = maxSize;
  }

  override get(key: K): V | undefined {
    const value = super.get(key);
    // A Map keeps the order of insertion, so the entry moves to the end.
    if (value !== undefined) this.set(key, value);
    return value;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#maxSize) {
      const [oldest] = this.keys();
      this.delete(oldest as K);
    }
    return this;
  }
}
