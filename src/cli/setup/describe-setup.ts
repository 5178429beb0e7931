/** What `limpet setup` prints. Pure. */

/** What happened to one file. */
export interface Change {
  readonly file: string;
  /** What belongs in the file. */
  readonly text: string;
  readonly isChanged: boolean;
  /** The file did not have limpet before. */
  readonly isNew: boolean;
  /** Where the previous file was saved. */
  readonly backup: string | null;
}

interface SetupResult {
  readonly client: string;
  readonly action: "print" | "write" | "remove";
  readonly config: Change;
  readonly instructions: Change | null;
  readonly notes: readonly string[];
}

export function describeSetup({ client, action, config, instructions, notes }: SetupResult): string[] {
  const changes = [config, ...(instructions ? [instructions] : [])];
  const why = notes.map((note) => `- ${note}`);
  if (action === "print") {
    const [first, ...rest] = changes.map(({ file, text }) => [`Add this to ${file}:`, "", ...text.split("\n")]);
    return [...(first ?? []), ...(why.length > 0 ? ["", ...why] : []), ...rest.flatMap((lines) => ["", ...lines])];
  }
  const done = changes.flatMap((change) =>
    describeChange(change, action, change === config ? "limpet" : "instructions"),
  );
  const isChanged = changes.some((change) => change.isChanged);
  return [
    ...done,
    ...(action === "write" && config.isChanged ? why : []),
    ...(isChanged ? [`Restart ${client} ${action === "write" ? "to use it" : "to stop using it"}.`] : []),
  ];
}

function describeChange(
  { file, isChanged, isNew, backup }: Change,
  action: "write" | "remove",
  what: string,
): string[] {
  const saved = backup ? [`Saved the previous file as ${backup}.`] : [];
  if (action === "remove") {
    return isChanged
      ? [`Removed ${what} from ${file}.`, ...saved]
      : [`${file} does not have ${what}. Nothing changed.`];
  }
  if (!isChanged) return [`${file} already has ${what}. Nothing changed.`];
  return [isNew ? `Added ${what} to ${file}.` : `Updated ${what} in ${file}.`, ...saved];
}
