/** Which view an address shows. The address is in the fragment, which browsers do not send. Pure. */

export const TABS = ["terminal", "commands", "output", "recordings", "details"] as const;
export type Tab = (typeof TABS)[number];

export type View =
  | { readonly kind: "sessions" }
  | { readonly kind: "approvals" }
  /** `at`: where in the output, for the tab `output`. */
  | { readonly kind: "session"; readonly key: string; readonly tab: Tab; readonly at: number | null }
  /** Only the password box of a session. */
  | { readonly kind: "prompt"; readonly key: string };

const SESSION = /^#\/session\/([^/]+)(?:\/([a-z]+)(?:\/(\d{1,15}))?)?$/;
const PROMPT = /^#\/prompt\/([^/]+)$/;

/** Falls back to the list of sessions if the address is not valid. */
export function parseAddress(fragment: string): View {
  if (fragment === "#/approvals") return { kind: "approvals" };
  const prompt = decoded(PROMPT.exec(fragment)?.[1]);
  if (prompt !== undefined) return { kind: "prompt", key: prompt };
  const [, encoded, tab = "terminal", at] = SESSION.exec(fragment) ?? [];
  const key = decoded(encoded);
  if (key === undefined || !isTab(tab)) return { kind: "sessions" };
  return { kind: "session", key, tab, at: at === undefined ? null : Number(at) };
}

export function addressOf(view: View): string {
  if (view.kind === "prompt") return `#/prompt/${encodeURIComponent(view.key)}`;
  if (view.kind !== "session") return view.kind === "approvals" ? "#/approvals" : "#/";
  const { key, tab, at } = view;
  const rest = at === null ? (tab === "terminal" ? "" : `/${tab}`) : `/${tab}/${at}`;
  return `#/session/${encodeURIComponent(key)}${rest}`;
}

/** The address of one view of a session. */
export function sessionAddress(key: string, tab: Tab = "terminal", at: number | null = null): string {
  return addressOf({ kind: "session", key, tab, at });
}

function isTab(text: string): text is Tab {
  return (TABS as readonly string[]).includes(text);
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
