/** The link over ssh is cut in every way at random moments: no command runs twice, no byte is lost or repeated. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { type HostClient, hostClient } from "../../../src/host/client/host-client.ts";
import { FAR_LINK } from "../../../src/host/client/link-rules.ts";
import { placeOf } from "../../../src/places/place-address.ts";
import { reachPlace } from "../../../src/places/reach-place.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { needs } from "../../support/needs.ts";
import { childrenOf } from "../../support/places/children-of.ts";
import { lossyNetwork } from "../../support/places/lossy-network.ts";
import { LINK_MS } from "../../support/places/place.ts";
import { type SshPlace, sshPlace } from "../../support/places/ssh-place.ts";
import { isLong, until } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

/** Of each of the four kinds. */
const CUTS = isLong ? 50 : 2;
const CALLER = "test";
/** A dead link is noticed in some seconds, which a busy machine may take to answer. */
const RULES = { ...FAR_LINK, keepAlive: { everyMs: 1_000, maxMissed: 5 } };

interface Cutting {
  readonly place: SshPlace;
  /** Breaks the link. Returns what to do when it is known to be broken. */
  readonly cut: () => () => void;
}

const KINDS = {
  "the control master is killed": async () => {
    const place = await sshPlace();
    return { place, cut: () => kill(masters(place)) };
  },
  "sshd is killed": async () => {
    const place = await sshPlace();
    return { place, cut: () => kill(place.connections()) };
  },
  "the connection is stopped": async () => {
    const place = await sshPlace();
    return {
      place,
      cut: () => {
        const pids = masters(place);
        for (const pid of pids) process.kill(pid, "SIGSTOP");
        return () => void kill(pids);
      },
    };
  },
  "packets are dropped": async () => {
    const network = await lossyNetwork();
    const place = await sshPlace({ program: network.inside, clientSettings: [network.proxyCommand] });
    return {
      place,
      cut: () => {
        network.drop();
        return network.heal;
      },
    };
  },
};

/** The processes of our control masters. */
function masters({ stateDirectory }: SshPlace): readonly number[] {
  const cwd = join(stateDirectory, "ssh");
  if (!existsSync(cwd)) return [];
  return readdirSync(cwd).flatMap((socket) => {
    const check = ["-o", `ControlPath=${socket}`, "-O", "check", "x"];
    const { stderr } = spawnSync("ssh", check, { cwd, encoding: "utf8", timeout: 30_000 });
    const pid = Number(/pid=(\d+)/.exec(stderr)?.[1] ?? 0);
    return pid > 0 ? [pid] : [];
  });
}

/** There is nothing to heal afterwards. */
function kill(pids: readonly number[]): () => void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
  return () => undefined;
}

function impatientClient(place: SshPlace): HostClient {
  const connect = reachPlace({ place: placeOf(place.setting, {}), stateDirectory: place.stateDirectory });
  const client = hostClient(connect, { isFar: true, rules: RULES });
  onTestFinished(async () => {
    await client.stopHost().catch(() => false);
    client.disconnect();
  });
  return client;
}

/** Numbers without end, slowly; ends when the file is there. */
const counting = (stop: string) => `n=0; while [ ! -e ${stop} ]; do echo $n; n=$((n+1)); sleep 0.01; done`;

test.skipIf(!needs("sshd", "ssh-keygen", "root", "ip", "iptables")).each(Object.entries(KINDS))(
  "while %s, commands run once, their outcome is known, and a transcript has each byte once",
  async (_kind, openPlace: () => Promise<Cutting>) => {
    const { place, cut } = await openPlace();
    const client = impatientClient(place);
    const [log, stop] = [join(temporaryDirectory(), "log"), join(temporaryDirectory(), "stop")];
    const { id } = await startSession(client, { command: counting(stop), shell: "/bin/sh" });
    const following = textOf(client, id);
    let losses = 0;
    client.onLink((state) => {
      if (state === "lost") losses += 1;
    });
    const texts: (string | undefined)[] = [];

    for (let n = 0; n < CUTS; n += 1) {
      await client.running();
      const before = losses;
      const run = { command: `echo ${n} >> ${log}; sleep 0.2; echo out ${n}`, shell: "main" };
      const answering = client.turn({
        caller: CALLER,
        on: { kind: "run", run: { ...run, fresh: { shell: "/bin/sh" } } },
      });
      answering.catch(() => undefined);
      await sleep((n * 37) % 300);
      const heal = cut();
      await until(() => losses > before, "the cut is noticed", LINK_MS);
      heal();
      const answer = await answering;
      if (answer.receipt) client.acknowledge({ caller: CALLER, receipt: answer.receipt });
      texts.push(answer.command?.output);
    }
    spawnSync("touch", [stop]);
    const text = await following;

    const numbers = Array.from({ length: CUTS }, (_, n) => n);
    expect(readFileSync(log, "utf8")).toBe(numbers.map((n) => `${n}\n`).join(""));
    expect(texts).toEqual(numbers.map((n) => `out ${n}\n`));
    const lines = text.trimEnd().split("\r\n");
    expect(lines).toEqual(lines.map((_, n) => String(n)));
    expect(childrenOf(place.pid).length).toBeGreaterThan(0);
  },
  isLong ? 1_800_000 : 240_000,
);

async function textOf(client: HostClient, id: number): Promise<string> {
  let text = "";
  for await (const part of client.transcript(id, { from: 0 }))
    if (part.kind === "output") text += Buffer.from(part.page.bytes).toString();
  return text;
}
