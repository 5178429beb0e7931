/**
 * Starts programs in a container that has no host. The client of the engine, such as `docker exec -it`, runs in a
 * terminal of this machine. If the container shares the kernel of this machine, limpet finds the program by the mark in
 * its environment.
 */
import { LimpetError } from "../../base/limpet-error.ts";
import type { EnforcedLimits, SessionLimits } from "../../base/session-limits.ts";
import { MARK_VARIABLE } from "../../linux/processes/processes.ts";
import { engineEnv } from "../env/child-env.ts";
import type { Channel, ChannelOptions, OnOutput, Transport } from "../transport.ts";
import { type Container, execArgv } from "./container.ts";
import { ContainerChannel } from "./container-channel.ts";
import { openClient, remindOfSize } from "./container-client.ts";
import { execWords } from "./exec-words.ts";
import { findInside } from "./find-inside.ts";
import { guardInside } from "./guard-inside.ts";
import { type InnerInput, takeInnerInput } from "./inner-input.ts";
import { endedInside, hiddenInside, type Inside, visibleInside } from "./inside.ts";
import { judgeStart } from "./judge-start.ts";
import { OutputBarrier } from "./output-barrier.ts";

export interface ContainerTransportOptions {
  readonly container: Container;
  /** False if the container has another kernel, so that its processes are not visible on this machine. */
  readonly isHere: boolean;
  /** The limits that the container enforces for its session. Default: none. */
  readonly kept?: EnforcedLimits;
  /**
   * The command that removes the container after a crash, and a function that removes it when the session is closed.
   * Default: only processes with the mark of the session are ended.
   */
  readonly remove?: { readonly words: readonly string[]; readonly now: () => Promise<void> };
}

/** How much output is kept to recognise a client that could not start the program. */
const MAX_HEARD_BYTES = 4_096;

export function containerTransport(options: ContainerTransportOptions): Transport {
  return { open: async (given) => await openInside(given, options) };
}

async function openInside(given: ChannelOptions, options: ContainerTransportOptions): Promise<Channel> {
  const { container, remove } = options;
  const mark = given.env[MARK_VARIABLE] ?? "";
  const limits = enforced(given.limits, options);
  const heard: Buffer[] = [];
  let heardBytes = 0;
  const hear = (bytes: Uint8Array) => {
    if (heardBytes < MAX_HEARD_BYTES) heard.push(Buffer.from(bytes));
    heardBytes += bytes.length;
  };
  let found: number | undefined;
  let input: InnerInput | undefined;
  const barrier = new OutputBarrier({ deliver: (bytes) => given.onOutput(bytes, "terminal") });
  const onOutput: OnOutput = (bytes, origin) => {
    hear(bytes);
    input?.writer.nudge();
    if (origin === "terminal") barrier.push(bytes);
    else given.onOutput(bytes, origin);
  };
  const onWords = (bytes: Uint8Array) => {
    hear(bytes);
    given.onOutput(bytes, "terminal");
  };
  // Created before the program starts, because this process may be killed at any time.
  const guard = await guardInside({ mark, endInside: endingWords(options) });
  const client = await openClient(execWords(container, given, engineEnv()), {
    given: { ...given, onOutput },
    contained: () => found,
    onWords,
  }).catch((error: unknown) => {
    guard.release();
    throw error;
  });
  try {
    const pid = options.isHere ? await findInside({ mark, over: client.exited }) : undefined;
    found = pid;
    input = pid === undefined ? undefined : await takeInnerInput({ pid, tty: given.tty, over: client.exited });
    const exit = await Promise.race([client.exited, Promise.resolve(undefined)]);
    const failure = pid === undefined && exit && judgeStart(exit, Buffer.concat(heard).toString(), given.program);
    if (failure) throw failure;
    const inside = insideOf({ pid, client: exit && options.isHere ? client.channel.pid : null, container, mark });
    // The engine sets the size late, and docker's client gives up if that takes long.
    if (input) input.resize(given.size);
    else void client.notResized.then(() => remindOfSize(client));
    return new ContainerChannel({ client, inside, barrier, input, limits, guard, remove: remove?.now });
  } catch (error) {
    input?.end();
    await client.channel.close({ graceMs: 0 });
    guard.release();
    throw error;
  }
}

interface Found {
  readonly pid: number | undefined;
  /** The pid of the client, if it has ended and the container shares the kernel of this machine; otherwise null. */
  readonly client: number | null;
  readonly container: Container;
  readonly mark: string;
}

function insideOf({ pid, client, container, mark }: Found): Inside {
  if (pid !== undefined) return visibleInside(pid, mark);
  return client === null ? hiddenInside(container, mark) : endedInside(client, mark);
}

function endingWords({ container, isHere, remove }: ContainerTransportOptions): readonly string[] | undefined {
  if (remove) return remove.words;
  return isHere ? undefined : execArgv(container, ["/bin/sh", "-c", '"$sweep"', "sh", '"$mark"', '"$pause"']);
}

/**
 * Who enforces which limit. limpet watches limits that the container does not enforce. Throws for limits that neither
 * can enforce. Pure.
 */
function enforced(
  limits: SessionLimits | undefined,
  { isHere, kept = {} }: Pick<ContainerTransportOptions, "isHere" | "kept">,
): EnforcedLimits | undefined {
  if (!limits) return undefined;
  const watched = ["wallTime", ...(isHere ? ["memory", "processes", "cpuTime"] : [])];
  const entries = Object.entries(limits).filter(([, value]) => value !== undefined);
  const refused = entries.map(([name]) => name).filter((name) => !Object.hasOwn(kept, name) && !watched.includes(name));
  if (refused.length > 0) {
    throw new LimpetError(
      "LIMIT_UNAVAILABLE",
      `The limit ${refused.join(" and ")} cannot be enforced in a container that already runs. Leave it out, or set it in the container.`,
    );
  }
  return Object.fromEntries(
    entries.map(([name, value]) => [name, kept[name as keyof SessionLimits] ?? { value, by: "watch" }]),
  ) as EnforcedLimits;
}
