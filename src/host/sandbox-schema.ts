/** The schema of a sandbox, in requests and in records. */
import { z } from "zod";
import { SANDBOX_FILES, type SandboxRequest } from "../base/sandbox-request.ts";

export const sandbox: z.ZodType<SandboxRequest> = z.strictObject({
  files: z.enum(SANDBOX_FILES),
  network: z.enum(["on", "off"]).optional(),
});
