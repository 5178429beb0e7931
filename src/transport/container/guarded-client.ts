/**
 * Runs the client of an engine, such as `docker exec`, so that its program does not outlive this process. A program in
 * a container outlives its client, and a host that is killed ends nothing any more. So a second shell beside the client
 * waits until this process has ended, and then ends what runs inside.
 *
 * It notices by a pipe whose only writer is this process. Its path is that of a descriptor in /proc, which leaves no
 * file behind. Then it leaves the control group of its session, which the next limpet process ends as a whole.
 */
import { dirname, join } from "node:path";
import { lazy } from "../../base/async/lazy.ts";
import { openLifeline } from "../../linux/lifeline.ts";
import { groupRootPath } from "../../pty/group-root.ts";
import { SWEEP_SCRIPT } from "./sweep-script.ts";

/** Between two signals to programs that were left. */
const SWEEP_SECONDS = "0.3";

const lifeline = lazy(openLifeline);

interface Guarded {
  readonly client: readonly string[];
  readonly mark: string;
  /** Ends what runs inside, if that is not visible on this machine: words without special characters. */
  readonly endInside: readonly string[] | undefined;
}

/** The arguments of `/bin/sh`. */
export function guardedClient({ client, mark, endInside }: Guarded): readonly string[] {
  const sweep = endInside ? endInside.join(" ") : '/bin/sh -c "$sweep" sh "$mark" "$pause"';
  const script = [
    "lifeline=$1 sweep=$2 mark=$3 pause=$4 home=$5; shift 5",
    "exec 3<&0",
    '"$@" <&3 3<&- & client=$!',
    "(",
    '  trap "" HUP',
    "  exec 3<&- >/dev/null 2>&1",
    '  exec <"$lifeline"',
    "  read -r never",
    '  [ -z "$home" ] || echo 0 >"$home"',
    '  kill "$client"',
    `  ${sweep} </dev/null`,
    ") & guard=$!",
    'wait "$client"; code=$?',
    // Without this process, the guard has work to do.
    '[ -e "$lifeline" ] && kill -KILL "$guard" 2>/dev/null',
    "exit $code",
  ].join("\n");
  return ["-c", script, "sh", lifeline(), SWEEP_SCRIPT, mark, SWEEP_SECONDS, homeGroup(), ...client];
}

/** The list of members of the group that this process was started in; empty without groups. */
function homeGroup(): string {
  const root = groupRootPath();
  return root === undefined ? "" : join(dirname(root), "cgroup.procs");
}
