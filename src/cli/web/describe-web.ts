/** What `limpet web` prints about its server and its shares. Pure. */
import { describeAge } from "../../base/format/describe-duration.ts";
import type { WebStatus } from "../../web/process/control-protocol.ts";
import type { ListedGrant } from "../../web/server/sign-in/grants.ts";
import { table } from "../print/table.ts";

export function describeWeb(
  { pid, version, startedAt, base, socket, fleet, visitors, streams }: WebStatus,
  nowMs: number,
): string {
  return [
    `The web server has run for ${describeAge(nowMs - startedAt)} (process ${pid}, limpet ${version}).`,
    socket === null ? `Address:  ${base}` : `Socket:   ${socket}`,
    ...(fleet === null ? [] : [`Fleet:    ${fleet}`]),
    `Visitors: ${visitors} signed in, ${streams} open`,
  ].join("\n");
}

export function describeGrants(grants: readonly ListedGrant[], nowMs: number): string {
  if (grants.length === 0) return "Nobody can sign in. Get a link with: limpet web";
  const rows = grants.map(({ id, kind, right, session, expiresMs, isUsed }) => [
    id,
    kind === "own" ? "you" : kind,
    right,
    session ?? "all",
    isUsed ? "signed in" : "link unused",
    describeAge(expiresMs - nowMs),
  ]);
  const titles = ["N", "FOR", "RIGHT", "SESSION", "STATE", "ENDS IN"];
  return table(
    titles.map((title) => ({ title })),
    rows,
  ).join("\n");
}

/** How to reach a server behind a socket file. */
export function describeForward(socket: string, base: string, machine: string): string {
  const port = new URL(base).port || "80";
  return `On your own machine, run first: ssh -L ${port}:${socket} ${machine}`;
}
