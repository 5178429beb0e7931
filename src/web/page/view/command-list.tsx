/** The commands that callers ran in a shell, the newest first, with their exit codes and times. */
import type { JSX } from "preact";
import { describeClock, describeDuration } from "../../../base/format/describe-duration.ts";
import type { LoggedCommand } from "../../../session/command-log.ts";
import { makeVisible } from "../../../text/clean/make-visible.ts";
import { visibleLine } from "../../../text/clean/quote-line.ts";
import type { SessionCard } from "../../api/messages.ts";
import { askHistory } from "../state/requests.ts";
import { sessionAddress } from "../state/view-address.ts";
import { useAnswer } from "./use-answer.ts";

export function CommandList({ card }: { readonly card: SessionCard }): JSX.Element {
  const [commands] = useAnswer(() => askHistory(card.key), card);
  const newest = [...(commands ?? [])].reverse();
  return (
    <section aria-label="Commands">
      {commands?.length === 0 && (
        <p class="empty">No commands are known. They are listed for shells in which agents run commands.</p>
      )}
      {/* biome-ignore lint/a11y/noRedundantRoles: WebKit drops the role of a list without bullets. */}
      <ol class="commands" role="list" aria-label="Commands, newest first">
        {newest.map((each) => (
          <li key={each.number} class={classOf(each)}>
            <a href={sessionAddress(card.key, "output", each.from)}>
              <code>{makeVisible(each.command)}</code>
            </a>
            <span class="facts">
              {describeResult(each)} · {describeClock(each.startedAt)} · {visibleLine(each.caller)} in{" "}
              {visibleLine(each.cwd)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function describeResult({ exitCode, durationMs, to }: LoggedCommand): string {
  if (to === null) return "running";
  const took = durationMs === null ? "" : ` after ${describeDuration(durationMs)}`;
  return `${exitCode === null ? "exit code unknown" : `exit code ${exitCode}`}${took}`;
}

function classOf({ exitCode, to }: LoggedCommand): string {
  if (to === null) return "command running";
  return exitCode === 0 ? "command good" : "command bad";
}
