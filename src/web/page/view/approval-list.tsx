/** The requests of agents that need a person's approval. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { describeAge } from "../../../base/format/describe-duration.ts";
import { visibleLine } from "../../../text/clean/quote-line.ts";
import type { DecideMessage } from "../../api/messages.ts";
import { attempt, pageStore } from "../state/page.ts";
import type { TimedApproval } from "../state/page-state.ts";
import { decide } from "../state/requests.ts";
import { useStore } from "../state/store.ts";
import { Ask } from "./dialog.tsx";

export function ApprovalList(): JSX.Element {
  const approvals = useStore(pageStore, (state) => state.approvals);
  const canDecide = useStore(pageStore, (state) => state.me?.right === "control" && state.me.isPerson);
  return (
    <main id="main" tabIndex={-1}>
      <h1>Approvals</h1>
      {approvals.length === 0 && <p class="empty">Nothing waits for approval.</p>}
      {/* biome-ignore lint/a11y/noRedundantRoles: WebKit drops the role of a list without bullets. */}
      <ul class="approvals" role="list" aria-label="Requests for approval">
        {approvals.map((approval) => (
          <ApprovalItem key={approval.number} approval={approval} canDecide={canDecide} />
        ))}
      </ul>
    </main>
  );
}

interface ItemProps {
  readonly approval: TimedApproval;
  readonly canDecide: boolean;
}

function ApprovalItem({ approval, canDecide }: ItemProps): JSX.Element {
  const { number, description, prefixes } = approval;
  const [isDenying, setDenying] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const settle = async (decision: DecideMessage) => {
    setBusy(true);
    await attempt(() => decide(number, decision), decision.kind === "approve" ? "Approved." : "Denied.");
    setBusy(false);
  };
  const approve = (scope: "once" | "session" | "rule") => () => void settle({ kind: "approve", scope });
  const id = `approval-${number}`;
  return (
    <li class="approval" aria-labelledby={id}>
      <h2 id={id}>
        Approval {number}: {visibleLine(approval.client ?? approval.caller)}
      </h2>
      <TimeLeft endsAtMs={approval.endsAtMs} />
      <pre>{description}</pre>
      {canDecide && (
        <fieldset class="buttons" disabled={isBusy} aria-label={`Decide approval ${number}`}>
          <button type="button" class="primary" onClick={approve("once")}>
            Approve once
          </button>
          <button type="button" onClick={approve("session")}>
            For this session
          </button>
          {prefixes.length > 0 && (
            <button type="button" onClick={approve("rule")} title={prefixes.map((words) => words.join(" ")).join("; ")}>
              Always: add a rule
            </button>
          )}
          <button type="button" class="danger" onClick={() => setDenying(true)}>
            Deny…
          </button>
        </fieldset>
      )}
      {isDenying && (
        <Ask
          title={`Deny approval ${number}`}
          explain="The agent sees the denial and your reason."
          field="Reason, or what to do instead (optional)"
          act="Deny"
          isDangerous
          onDone={(text) => void settle({ kind: "deny", reason: text === "" ? null : text })}
          onClose={() => setDenying(false)}
        />
      )}
    </li>
  );
}

const TICK_MS = 1_000;

function TimeLeft({ endsAtMs }: { readonly endsAtMs: number }): JSX.Element {
  const [nowMs, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <p class="facts">{describeAge(Math.max(0, endsAtMs - nowMs))} left until it is denied</p>;
}
