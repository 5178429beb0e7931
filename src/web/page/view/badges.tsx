/** Badges of a session: one word for each special state. */
import type { JSX } from "preact";
import { describeSandbox } from "../../../base/sandbox-request.ts";
import { visibleLine } from "../../../text/clean/quote-line.ts";
import type { SessionCard } from "../../api/messages.ts";

export function Badges({ card }: { readonly card: SessionCard }): JSX.Element {
  const { held, frozen, sandbox, recordings, listening } = card;
  const isRecording = recordings.some(({ kind }) => kind === "recording");
  const ports = [...new Set(listening.map(({ port }) => port))];
  return (
    <span class="badges">
      {held && <span class="badge held">{held.isTyping ? "a person types" : `held${reasonOf(held.reason)}`}</span>}
      {frozen !== null && <span class="badge frozen">frozen</span>}
      {sandbox && <span class="badge sandbox">sandbox: {visibleLine(describeSandbox(sandbox))}</span>}
      {isRecording && <span class="badge recording">recording</span>}
      {ports.map((port) => (
        <span class="badge port" key={port}>
          :{port}
        </span>
      ))}
    </span>
  );
}

function reasonOf(reason: string | null): string {
  return reason === null || reason === "" ? "" : `: ${visibleLine(reason)}`;
}
