/** What a call to a host fails with. */
import { MAX_HOST_LINE_BYTES } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { LinkRules } from "./link-rules.ts";

/** The other side has disconnected, before the call or during it. */
export function gone({ lossCode }: LinkRules, when: "before" | "during"): LimpetError {
  if (lossCode === "LINK_LOST") {
    const what =
      when === "before"
        ? "The link to the place is closed."
        : "The link to the place broke during the call, and its outcome is unknown.";
    const remedy =
      when === "before" ? "Call again to connect." : "Check the sessions there before you repeat the call.";
    return new LimpetError(lossCode, `${what} ${remedy}`);
  }
  const what = when === "before" ? "The host is gone." : "The host ended during the call.";
  return new LimpetError(lossCode, `${what} Call again: this starts a new host, which lists the previous sessions.`);
}

/** This side has closed the client, before the call or during it. */
export function clientClosed(): LimpetError {
  return new LimpetError(
    "CLIENT_CLOSED",
    "This client was closed, so the outcome of a call that was under way is unknown. Connect again with a new client.",
  );
}

/** The host accepts connections and does not answer. */
export function notResponding({ answerMs }: LinkRules): LimpetError {
  return new LimpetError(
    "HOST_NOT_RESPONDING",
    `The host has not answered for ${answerMs / 1000} s: it may be stopped, or its disk may hang. Try again later, or end it and its sessions with limpet host stop --force.`,
  );
}

/** The call does not fit into one line of the protocol. */
export function tooLong(method: string, bytes: number): LimpetError {
  const what = `A call of ${method} has ${bytes} bytes, more than the ${MAX_HOST_LINE_BYTES} that a host accepts.`;
  return new LimpetError("BAD_OPTION", `${what} Send less data per call.`);
}
