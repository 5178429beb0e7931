/** The scenarios of the contract as real programs, for transports of this machine. */
import type { Transport } from "../../src/transport/transport.ts";
import type { Scenarios } from "./scenarios.ts";

export function localScenarios(transport: Transport): Scenarios {
  const sh = (script: string) => ({ transport, options: { program: "sh", args: ["-c", script, "sh"] } });

  return {
    printsAndExits: sh("echo hello; exit 7"),
    answersLines: sh(
      'stty -echo; echo ready; while read -r line; do [ "$line" = quit ] && exit 0; echo "got $line"; done',
    ),
    ignoresTerm: sh("trap '' HUP TERM; echo ready; while :; do sleep 100; done"),
    leavesHolder: sh(`
    trap 'exit 3' USR2
    (trap '' HUP; trap 'echo late' USR1; kill -USR2 $$; while :; do sleep 0.05; done) &
    while :; do wait; done`),
    printsMuch: sh("head -c 1000000 /dev/zero | tr '\\0' x"),
    tellsSize: {
      transport,
      options: {
        program: "bash",
        args: [
          "-c",
          'trap "stty size | { read -r rows cols; echo \\$cols \\$rows; }" WINCH; echo ready; while :; do sleep 0.05; done',
        ],
      },
    },
    tellsArguments: sh('for arg; do printf "[%s]" "$arg"; done; printf "%s" "$GREETING"'),
    asksPassword: sh("stty -echo; echo ready; read -r line"),
    copiesStdin: sh("echo out; echo err >&2; cat"),
  };
}
