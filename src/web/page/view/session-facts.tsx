/** What is known about a session: its program, owner, processes, limits and sandbox. */
import type { JSX } from "preact";
import { describeAge } from "../../../base/format/describe-duration.ts";
import { describeSandbox } from "../../../base/sandbox-request.ts";
import type { LimitState } from "../../../base/session-limits.ts";
import { visibleLine } from "../../../text/clean/quote-line.ts";
import type { SessionCard, SessionDetails } from "../../api/messages.ts";
import { askDetails } from "../state/requests.ts";
import { useAnswer } from "./use-answer.ts";

export function SessionFacts({ card }: { readonly card: SessionCard }): JSX.Element {
  const [details] = useAnswer(() => askDetails(card.key), card);
  return (
    <section aria-label="Details" class="details">
      <dl>
        {factsOf(card).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{visibleLine(value)}</dd>
          </div>
        ))}
      </dl>
      <h2>Processes</h2>
      {details?.processes ? (
        <table>
          <thead>
            <tr>
              <th scope="col">PID</th>
              <th scope="col">Program</th>
              <th scope="col" class="number">
                Memory
              </th>
              <th scope="col" class="number">
                CPU time
              </th>
            </tr>
          </thead>
          <tbody>
            {details.processes.map(({ pid, name, memoryBytes, cpuMs }) => (
              <tr key={pid}>
                <td>{pid}</td>
                <td>{visibleLine(name)}</td>
                <td class="number">{describeBytes(memoryBytes)}</td>
                <td class="number">{describeCpu(cpuMs)}</td>
              </tr>
            ))}
          </tbody>
          {details.processes.length > 1 && <Total processes={details.processes} />}
        </table>
      ) : (
        <p class="empty">{details ? "Its processes are not known." : "Loading…"}</p>
      )}
    </section>
  );
}

type Processes = NonNullable<SessionDetails["processes"]>;

function Total({ processes }: { readonly processes: Processes }): JSX.Element {
  const sum = (one: "memoryBytes" | "cpuMs") => processes.reduce((all, each) => all + (each[one] ?? 0), 0);
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={2}>
          All {processes.length} processes
        </th>
        <td class="number">{describeBytes(sum("memoryBytes"))}</td>
        <td class="number">{describeCpu(sum("cpuMs"))}</td>
      </tr>
    </tfoot>
  );
}

/** An older host does not say. */
function describeBytes(bytes: number | undefined): string {
  return bytes === undefined ? "–" : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function describeCpu(ms: number | undefined): string {
  return ms === undefined ? "–" : `${(ms / 1000).toFixed(2)} s`;
}

function factsOf(card: SessionCard): readonly (readonly [string, string])[] {
  const { program, owner, place, directory, size, limits, listening, foreground, command } = card;
  const facts: (readonly [string, string | null | undefined])[] = [
    ["Program", program],
    ["Runs now", command ?? foreground],
    ["Owner", owner?.caller],
    ["Project", owner?.project],
    ["Place", place ?? "this machine"],
    ["Directory", directory],
    ["Started", `${describeAge(card.ageMs)} ago`],
    ["Last used", `${describeAge(card.idleMs)} ago`],
    ["Terminal", size ? `${size.cols} columns by ${size.rows} rows` : "none, on pipes"],
    ["Output", `${card.outputBytes.toLocaleString("en")} bytes`],
    ["Listens on", listening.map(({ address, port, pid }) => `${address}:${port} (process ${pid})`).join(", ")],
    ["Sandbox", describeSandbox(card.sandbox ?? undefined)],
    ["Limits", limits && describeLimits(limits)],
    ["Left running", card.left.map(({ pid, name }) => `${name} (${pid})`).join(", ")],
  ];
  return facts.filter((fact): fact is readonly [string, string] => Boolean(fact[1]));
}

function describeLimits({ enforced, hits, endedBy }: LimitState): string {
  const each = Object.entries(enforced).map(([name, { value, by }]) => `${name} ${value} (by ${by})`);
  const reached = hits.length === 0 ? [] : [`reached: ${hits.join(", ")}`];
  return [...each, ...reached, ...(endedBy === null ? [] : [`ended by ${endedBy}`])].join("; ");
}
