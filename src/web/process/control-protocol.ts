/** What the command line asks the web server of its user, over a socket file in the state directory. */
import { z } from "zod";
import type { Right } from "../server/route.ts";
import type { ListedGrant } from "../server/sign-in/grants.ts";

export interface WebStatus {
  readonly pid: number;
  readonly version: string;
  readonly startedAt: number;
  /** What its links begin with, such as `http://limpet-k3v9x2ab.localhost:40321`. */
  readonly base: string;
  /** The socket file that it listens on; null if it listens on a port. */
  readonly socket: string | null;
  /** The NATS server of the fleet whose sessions it shows; null: those of this machine and its places. */
  readonly fleet: string | null;
  /** Null: it has none, because other machines cannot reach it. */
  readonly certificateEndsMs: number | null;
  /** Visitors who have signed in. */
  readonly visitors: number;
  /** Streams that are open now: one for each page. */
  readonly streams: number;
}

/** A link to sign in with, once. */
export interface NewLink {
  readonly link: string;
  /**
   * A file in the state directory that redirects to the link, so that programs can open it without the link among their
   * arguments.
   */
  readonly page: string | null;
  readonly grant: ListedGrant;
}

export type ControlRequest =
  | { readonly method: "status" | "shares" | "stop" }
  /** `hasPage`: with a page for a browser to open. */
  | { readonly method: "link"; readonly hasPage: boolean }
  | { readonly method: "share"; readonly session: string; readonly right: Right; readonly forMs: number }
  /** For the password prompt with this token. */
  | { readonly method: "prompt"; readonly session: string; readonly token: string }
  | { readonly method: "revoke"; readonly id: string };

const requestSchema = z.discriminatedUnion("method", [
  z.strictObject({ method: z.enum(["status", "shares", "stop"]) }),
  z.strictObject({ method: z.literal("link"), hasPage: z.boolean() }),
  z.strictObject({
    method: z.literal("share"),
    session: z.string().min(1).max(256),
    right: z.enum(["view", "control"]),
    forMs: z.number().int().min(1),
  }),
  z.strictObject({
    method: z.literal("prompt"),
    session: z.string().min(1).max(256),
    token: z.string().min(1).max(1_000),
  }),
  z.strictObject({ method: z.literal("revoke"), id: z.string().max(32) }),
]) satisfies z.ZodType<ControlRequest>;

/** What each request is answered with. */
export interface ControlAnswers {
  readonly status: WebStatus;
  readonly link: NewLink;
  readonly share: NewLink;
  /** A link to a page with one box, for that password prompt. */
  readonly prompt: NewLink;
  readonly shares: readonly ListedGrant[];
  /** Whether there was one with that id. */
  readonly revoke: boolean;
  readonly stop: true;
}

export type ControlReply =
  | { readonly result: ControlAnswers[keyof ControlAnswers] }
  | { readonly error: { readonly code: string; readonly message: string } };

/** Undefined if it is not a request. */
export function readControlRequest(value: unknown): ControlRequest | undefined {
  return requestSchema.safeParse(value).data;
}

/** The longest line of either side: a list of all shares. */
export const MAX_CONTROL_BYTES: number = 256 * 1024;
export const CONTROL_SOCKET = "web.sock";
