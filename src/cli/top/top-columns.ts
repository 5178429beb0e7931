/** The columns of `limpet top`: fewer in a narrow terminal, so that each is still readable. Pure. */
import { describeAge } from "../../base/format/describe-duration.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import { describeActivity, describeBytes, describeOutput, isRunning, stateOf } from "../print/describe-session.ts";
import type { Column } from "../print/table.ts";
import type { TopRow } from "./top-model.ts";

interface TopColumn extends Column {
  readonly cell: (row: TopRow) => string;
}

const ID: TopColumn = { title: "ID", align: "right", cell: (row) => String(keyOf(row)) };
const NAME: TopColumn = { title: "NAME", maxWidth: 16, cell: ({ name }) => name ?? "" };
const STATE: TopColumn = { title: "STATE", maxWidth: 10, cell: stateOf };
const INPUT: TopColumn = { title: "INPUT", cell: waitingOf };
const AGE: TopColumn = { title: "AGE", align: "right", cell: ({ ageMs }) => describeAge(ageMs) };
const OUTPUT: TopColumn = { title: "OUTPUT", align: "right", cell: describeOutput };
const RATE: TopColumn = { title: "RATE", align: "right", cell: rateOf };
const OWNER: TopColumn = { title: "OWNER", maxWidth: 14, cell: ({ owner }) => owner?.caller ?? "" };
const PORTS: TopColumn = { title: "PORTS", maxWidth: 11, cell: (row) => portsOf(row).join(" ") };
const PROGRAM: TopColumn = { title: "PROGRAM", maxWidth: 30, givesWay: true, cell: describeActivity };
const LAST_LINE: TopColumn = { title: "LAST LINE", cell: ({ lastLine }) => lastLine };

const WIDE: readonly TopColumn[] = [ID, NAME, STATE, INPUT, AGE, OUTPUT, RATE, OWNER, PORTS, PROGRAM, LAST_LINE];
const USUAL: readonly TopColumn[] = [ID, NAME, STATE, INPUT, AGE, OUTPUT, RATE, PROGRAM, LAST_LINE];
/** In few columns, what a session waits for is more useful than that it runs. */
const NARROW: readonly TopColumn[] = [
  ID,
  { ...NAME, maxWidth: 10 },
  { ...STATE, cell: (row) => (waitingOf(row) === "" ? stateOf(row) : `${waitingOf(row)}?`) },
  { ...PROGRAM, maxWidth: 60 },
];

const WIDE_COLS = 110;
const USUAL_COLS = 72;

export function columnsFor(cols: number): readonly TopColumn[] {
  if (cols >= WIDE_COLS) return WIDE;
  return cols >= USUAL_COLS ? USUAL : NARROW;
}

/** The ports on which it listens, each once. */
export function portsOf({ listening }: Pick<TopRow, "listening">): readonly number[] {
  return [...new Set(listening.map(({ port }) => port))];
}

function waitingOf(row: TopRow): string {
  return isRunning(row) ? (row.waitingFor ?? "") : "";
}

function rateOf({ rate }: TopRow): string {
  return rate >= 1 ? `${describeBytes(rate)}/s` : "";
}
