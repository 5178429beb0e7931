import type { Elsewhere } from "../service/elsewhere.ts";
import type { FileAccess } from "./files/file-access.ts";

/** Where the programs of a host run, if not on its machine, and where its clients' files are. */
export interface HostElsewhere extends Elsewhere {
  readonly files: FileAccess;
}
