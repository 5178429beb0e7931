/** Labels of a host, as they are given on the command line: `gpu`, `zone=a`. */
import { LimpetError } from "../../base/limpet-error.ts";

/** Both parts start with a letter or digit, so that no label looks like an operator or an option. */
export const LABEL_WORD: RegExp = /[A-Za-z0-9][A-Za-z0-9._/-]{0,62}/;
const LABEL = new RegExp(`^(${LABEL_WORD.source})(?:=(${LABEL_WORD.source}))?$`);
/** Every lease contains all labels. This is more than any fleet needs to distinguish its hosts. */
const MAX_LABELS = 32;

export interface Label {
  readonly key: string;
  /** Undefined for a label without a value. */
  readonly value: string | undefined;
}

/** Undefined for text that is not a label. Pure. */
export function parseLabel(text: string): Label | undefined {
  const found = LABEL.exec(text);
  return found?.[1] === undefined ? undefined : { key: found[1], value: found[2] };
}

/** Throws for text that is not a label, and for a key that is given twice. */
export function requireLabels(labels: readonly string[]): void {
  if (labels.length > MAX_LABELS)
    throw new LimpetError("BAD_OPTION", `${labels.length} labels were given. Give at most ${MAX_LABELS}.`);
  const keys = new Set<string>();
  for (const text of labels) {
    const label = parseLabel(text);
    if (!label)
      throw new LimpetError(
        "BAD_OPTION",
        `${JSON.stringify(text)} is not a label. Use a word such as gpu, or a word with a value such as zone=a.`,
      );
    if (keys.has(label.key))
      throw new LimpetError("BAD_OPTION", `The label ${label.key} was given twice. Give each label once.`);
    keys.add(label.key);
  }
}
