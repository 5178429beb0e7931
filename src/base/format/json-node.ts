/** A value in a JSON file, with the line where it begins, counted from 1. */
export type JsonNode =
  | { readonly kind: "object"; readonly line: number; readonly members: readonly JsonField[] }
  | { readonly kind: "array"; readonly line: number; readonly items: readonly JsonNode[] }
  | { readonly kind: "value"; readonly line: number; readonly value: string | number | boolean | null };

/** One field of an object. */
export interface JsonField {
  readonly key: string;
  /** Of the key. */
  readonly line: number;
  readonly node: JsonNode;
}
