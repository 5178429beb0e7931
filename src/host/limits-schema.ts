/** The schemas of the limits of a session: as they apply, and as somebody asks for them. */
import { z } from "zod";
import type { GivenLimits, SessionLimits } from "../base/session-limits.ts";

const amount = z.int().min(1).optional();
const given = z.union([z.number(), z.string().max(32)]).optional();

export const limits: z.ZodType<SessionLimits> = shapeOf(amount) as z.ZodType<SessionLimits>;

/** Whether a value makes sense is checked where the limits are applied. */
export const givenLimits: z.ZodType<GivenLimits> = shapeOf(given) as z.ZodType<GivenLimits>;

function shapeOf(value: z.ZodType): z.ZodType {
  return z.strictObject({
    memory: value,
    processes: value,
    openFiles: value,
    cpuTime: value,
    wallTime: value,
    fileSize: value,
  });
}
