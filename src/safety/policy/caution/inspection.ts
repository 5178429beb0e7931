import type { ShellWord } from "../syntax/simple-command.ts";
import type { Caution } from "./caution.ts";

/** What a command runs. `shell` reads the code; undefined: the shell that reads the command. */
export type Inner =
  | { readonly kind: "words"; readonly words: readonly ShellWord[] }
  | { readonly kind: "code"; readonly source: string; readonly shell?: string };

/** What is known about one simple command. */
export interface Inspection {
  readonly cautions: readonly Caution[];
  readonly inner: readonly Inner[];
}
