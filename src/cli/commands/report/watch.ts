import { EVENT_KINDS, type SessionEvent } from "../../../service/events/session-event.ts";
import { isKeyOf } from "../../../service/listing/session-key.ts";
import type { SessionName } from "../../../service/listing/session-name.ts";
import { describeEvent } from "../../../tools/answer/describe-event.ts";
import type { Args, Command } from "../../args/command.ts";
import { atArg, jsonArg } from "../../args/common-args.ts";
import { isOn, listOf, textOf } from "../../args/read-args.ts";
import { eventKinds } from "../../events/event-kinds.ts";
import { followEvents } from "../../events/follow-events.ts";
import { writeJsonLines, writeText } from "../../print/print.ts";
import { withHost } from "../../with-host.ts";

export const watch: Command = {
  name: "watch",
  description:
    "Print one line for each event: a session started, waits for input, finished a command, opened a port, exited or was lost; an agent needs approval.",
  args: {
    ids: {
      type: "positional",
      isOptional: true,
      isList: true,
      hint: "ID…",
      description: "Only these sessions, by id or name. Default: all",
    },
    only: {
      type: "string",
      hint: "KINDS",
      description: `Only these kinds, such as waiting,exited: ${EVENT_KINDS.join(", ")}`,
    },
    ...jsonArg("one object per line"),
    ...atArg,
  },
  examples: ["limpet watch", "limpet watch dev --only waiting,exited", "limpet watch --json | jq -r .kind"],
  run: (args) =>
    withHost(ofOneHost(args), async (sessions) => {
      const isWanted = wantedBy(args);
      const stop = new AbortController();
      for await (const { events, dropped } of followEvents(sessions, stop.signal)) {
        const shown = events.filter(isWanted);
        const hasReader = await (isOn(args, "json")
          ? writeJsonLines([...(dropped > 0 ? [{ kind: "dropped", count: dropped }] : []), ...shown.map(flat)])
          : writeText([...(dropped > 0 ? [`[${dropped} events dropped]\n`] : []), ...shown.map(lineOf)].join("")));
        // As with `| head`.
        if (!hasReader) break;
      }
      stop.abort();
    }),
};

/** With `--at`, the events of one host are followed, so several names do not choose hosts of a fleet. */
function ofOneHost(args: Args): Args {
  const hasSeveral = textOf(args, "at") !== undefined && listOf(args, "ids").length > 1;
  return hasSeveral ? { ...args, ids: [] } : args;
}

function wantedBy(args: Args): (event: SessionEvent) => boolean {
  const keys = listOf(args, "ids");
  const kinds = eventKinds(textOf(args, "only"));
  const at = textOf(args, "at");
  // With --at, all events are of one host, whatever the place is called.
  const own = (session: SessionName) => (at === undefined ? session : { ...session, place: null });
  const isMeant = (session: SessionName) => keys.some((key) => isKeyOf(key, session) || isKeyOf(key, own(session)));
  return ({ kind, session }) => kinds.includes(kind) && (keys.length === 0 || (session !== null && isMeant(session)));
}

function lineOf(event: SessionEvent): string {
  return `${new Date(event.at).toTimeString().slice(0, 8)} ${describeEvent(event)}\n`;
}

/** For scripts: the id, the name and the place beside the rest. */
function flat({ session, at, kind, ...rest }: SessionEvent): object {
  const { id = null, name = null, place = null } = session ?? {};
  return { at: new Date(at).toISOString(), kind, id, name, place, ...rest };
}
