/**
 * The id of an event contains the state of the page that received it: the version of the lists, and the position in the
 * terminal. So the server stores nothing for pages that have disconnected. Pure.
 */

/** How much of a terminal a page has drawn. */
export interface TerminalPosition {
  /** All output before this byte is drawn. */
  readonly cursor: number;
  /** The order of the last command that was shown; 0: none. */
  readonly order: number;
  /** The program has the alternate screen. */
  readonly isAlternate: boolean;
  /** The screen was drawn while the program had the alternate screen, so what lies below it is missing. */
  readonly lacksMain: boolean;
  /** A line about a command was drawn at the cursor, so the caret is at the beginning of a line. */
  readonly isWoven: boolean;
}

export interface PagePosition {
  /** The server that gave the version. */
  readonly instance: string;
  /** Undefined: it has no list. */
  readonly version: number | undefined;
  readonly terminal: (TerminalPosition & { readonly key: string }) | undefined;
}

const NUMBER = /^\d{1,15}$/;

export function encodeEventId({ instance, version, terminal }: PagePosition): string {
  const head = [instance, version ?? ""];
  if (!terminal) return head.join(",");
  const { key, cursor, order, isAlternate, lacksMain, isWoven } = terminal;
  const flags = `${isAlternate ? "a" : ""}${lacksMain ? "m" : ""}${isWoven ? "w" : ""}`;
  return [...head, encodeURIComponent(key), cursor, order, flags].join(",");
}

/** Undefined for an id that this code cannot have written. */
export function decodeEventId(id: string | null): PagePosition | undefined {
  const [instance = "", version = "", key, cursor = "", order = "", flags = ""] = (id ?? "").split(",");
  if (!/^[\w-]{1,36}$/.test(instance) || !/^\d{0,15}$/.test(version)) return undefined;
  const head = { instance, version: version === "" ? undefined : Number(version) };
  if (key === undefined) return { ...head, terminal: undefined };
  if (!NUMBER.test(cursor) || !NUMBER.test(order) || !/^a?m?w?$/.test(flags)) return undefined;
  const decoded = decodedKey(key);
  if (decoded === undefined) return undefined;
  const has = (flag: string) => flags.includes(flag);
  return {
    ...head,
    terminal: {
      key: decoded,
      cursor: Number(cursor),
      order: Number(order),
      isAlternate: has("a"),
      lacksMain: has("m"),
      isWoven: has("w"),
    },
  };
}

function decodedKey(key: string): string | undefined {
  try {
    return decodeURIComponent(key);
  } catch {
    return undefined;
  }
}
