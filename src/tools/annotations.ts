/** What most tools say to a client that asks its user before some calls. */
import type { ToolAnnotations } from "./define-tool.ts";

type Hints = Omit<ToolAnnotations, "title">;

/** It does whatever the model wants of a program. */
export const ACTS: Hints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** It changes nothing. */
export const LOOKS: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
