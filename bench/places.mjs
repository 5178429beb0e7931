/**
 * What a place costs, over a real sshd on the loopback address: a call compared with the same call on this machine and
 * with a bare echo over the same ssh connection; the first contact compared with `ssh HOST true`; and a flood of output
 * compared with `ssh HOST cat`. A whole run writes bench/results/places.json, and its figures into docs/places.md.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../dist/index.js";
import { writeNumbers } from "../scripts/docs/numbers.mjs";
import { openSshd } from "../test/support/places/sshd.mjs";
import {
  alternate,
  median,
  mustHold,
  percentile,
  progress,
  ratios,
  report,
  scaled,
  showSpread,
  timed,
} from "./measure.mjs";
import { describeMachine } from "./peers/report/machine.mjs";
import { number } from "./peers/report/summarize.mjs";

/** A call may cost one round trip and this. */
const CALL_EXTRA_MS = 1;
const FIRST_MS = 1_000;
const UPLOAD_MS = 2_000;
const OUTPUT_MB_PER_S = 10;
const ROUNDS = 5;

const folder = mkdtempSync(join(tmpdir(), "limpet-bench-"));
const home = join(folder, "home");
mkdirSync(home, { mode: 0o700 });
const path = `${join(process.execPath, "..")}:/usr/bin:/bin`;
const sshd = await openSshd(folder, {
  hostKeys: "right",
  settings: [`SetEnv HISTFILE=/dev/null HOME=${home} PATH=${path} XDG_STATE_HOME=${home}/state`],
});
const { SSH_CONFIG: config } = sshd.env;
const states = { there: join(folder, "there"), here: join(folder, "here") };
const place = { ssh: "zoo", config };
const connectThere = () => connect({ place, stateDirectory: states.there });
/** What the documents show: the medians of limpet and of plain ssh, by row. */
const shownRows = {};

try {
  report(await measureFirst());
  report(await measureCall());
  report(await measureOutput());
  if (scaled(100) === 100) {
    const results = { date: new Date().toISOString(), machine: describeMachine(), rows: shownRows };
    writeFileSync(join(import.meta.dirname, "results/places.json"), `${JSON.stringify(results, undefined, 2)}\n`);
    writeNumbers();
  }
} finally {
  const there = await connectThere();
  await there.stop();
  await there.close();
  endMaster();
  await sshd.close();
  rmSync(folder, { recursive: true, force: true });
}

/** From nothing to the first answer: no connection, no host there. */
async function measureFirst() {
  const bundles = join(home, ".local/share/limpet/bundles");
  const contact = async ({ uploads }) => {
    await (await connectThere()).stop();
    endMaster();
    if (uploads) rmSync(bundles, { recursive: true, force: true });
    const host = await connectThere();
    const ms = await timed(() => host.list());
    await host.close();
    return ms;
  };
  const bare = () => timed(() => once(spawn("ssh", ["-F", config, "-T", "zoo", "true"], { stdio: "ignore" }), "exit"));
  const show = (ms) => `${ms.toFixed(0)} ms`;
  // The first time also compresses the bundle, once for all places.
  await contact({ uploads: true });
  const row = async (name, figure, uploads, target) => {
    const found = await alternate({
      name: figure,
      rounds: ROUNDS,
      ours: () => contact({ uploads }),
      floor: bare,
      floorName: "ssh true",
      show,
    });
    noteRow(name, "ms", found);
    return {
      figure,
      ours: showSpread(found.ours),
      floor: `ssh true ${showSpread(found.floor)}`,
      ratio: median(ratios(found.ours, found.floor)),
      target: `${target} ms`,
      isMet: median(found.ours) <= target,
    };
  };
  return [
    await row("place.first", "first contact over ssh, limpet is there", false, FIRST_MS),
    await row("place.upload", "first contact over ssh with upload", true, UPLOAD_MS),
  ];
}

/**
 * The same call at the place and in a host on this machine. The difference is the cost of the link; the echo measures
 * its round trip.
 */
async function measureCall() {
  const times = scaled(300);
  const [there, here] = [await connectThere(), await connect({ stateDirectory: states.here })];
  const shells = await Promise.all([there, here].map((host) => host.openShell({ shell: "/bin/sh" })));
  const echo = await openEcho();
  const run = (shell) => async () => {
    const { exitCode } = await shell.run("true");
    mustHold(exitCode === 0, `true ended with ${exitCode}`);
  };
  const actions = { there: run(shells[0]), here: run(shells[1]), echo: echo.once };
  const ways = { there: [], here: [], echo: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    // In turns, so that other work on the machine affects all of them equally.
    const took = { there: [], here: [], echo: [] };
    for (let n = 0; n < times; n += 1) for (const way of Object.keys(ways)) took[way].push(await timed(actions[way]));
    const found = Object.fromEntries(Object.keys(ways).map((way) => [way, percentile(took[way], 50)]));
    progress(
      `call ${round}/${ROUNDS}: place ${shown(found.there)}, here ${shown(found.here)}, echo ${shown(found.echo)}`,
    );
    if (round > 0) for (const way of Object.keys(ways)) ways[way].push(found[way]);
  }
  echo.close();
  for (const host of [there, here]) await host.close();
  await (await connect({ stateDirectory: states.here })).stop();
  const extra = ways.there.map((ms, n) => ms - ways.here[n] - ways.echo[n]);
  noteRow("place.call", "ms", { ours: ways.there.map((ms, n) => ms - ways.here[n]), floor: ways.echo });
  return [
    {
      figure: "a command at a place, p50, less the same on this machine",
      ours: showSpread(ways.there.map((ms, n) => ms - ways.here[n])),
      floor: `echo ${showSpread(ways.echo)}`,
      ratio: median(ways.there.map((ms, n) => ms - ways.here[n])) / median(ways.echo),
      target: `echo + ${CALL_EXTRA_MS} ms (is ${median(extra) < 0 ? "" : "+ "}${median(extra).toFixed(2)})`,
      isMet: median(extra) <= CALL_EXTRA_MS,
    },
  ];
}

/** All bytes of a large file through a terminal there and the link. */
async function measureOutput() {
  // No more than a host keeps of a session: a reader that is slower than the program loses nothing.
  const megabytes = scaled(30);
  const file = join(folder, "lines");
  const line = `${"x".repeat(79)}\n`;
  writeFileSync(file, line.repeat((megabytes * 1_000_000) / line.length));
  const { size } = statSync(file);
  const there = await connectThere();
  // A host whose disk is too slow for a flood drops some of it, and says so.
  let droppedBytes = 0;
  const stream = async () => {
    const session = await there.open(`stty -opost; exec cat ${file}`, { shell: "/bin/sh" });
    let bytes = 0;
    let dropped = 0;
    const ms = await timed(async () => {
      for await (const page of there.service.output(session.id, { from: 0 })) {
        bytes += page.bytes.length;
        dropped += page.dropped;
      }
    });
    await session.close();
    mustHold(bytes + dropped === size, `${size} bytes were printed, ${bytes} came and ${dropped} were dropped`);
    droppedBytes += dropped;
    return size / 1000 / ms;
  };
  const bare = async () => {
    const ssh = spawn("ssh", ["-F", config, "-T", "zoo", `cat ${file}`], { stdio: ["ignore", "pipe", "inherit"] });
    let bytes = 0;
    ssh.stdout.on("data", (chunk) => {
      bytes += chunk.length;
    });
    const ms = await timed(() => once(ssh, "close"));
    mustHold(bytes === size, `${size} bytes were sent, and ${bytes} came`);
    return size / 1000 / ms;
  };
  const show = (rate) => `${rate.toFixed(1)} MB/s`;
  const found = await alternate({ name: "output", rounds: 3, ours: stream, floor: bare, floorName: "ssh cat", show });
  await there.close();
  noteRow("place.output", "MB/s", found);
  return [
    {
      figure: `${megabytes} MB of output over the link, all of it`,
      ours: show(median(found.ours)),
      floor: `ssh cat ${show(median(found.floor))}`,
      ratio: median(ratios(found.ours, found.floor)),
      target: `${OUTPUT_MB_PER_S} MB/s, 0 bytes dropped (are ${droppedBytes})`,
      isMet: median(found.ours) >= OUTPUT_MB_PER_S && droppedBytes === 0,
    },
  ];
}

/** A line to `cat` over our ssh connection and back. */
async function openEcho() {
  const [socket = ""] = readdirSync(join(states.there, "ssh"));
  const words = ["-F", config, "-o", `ControlPath=${socket}`, "-T", "zoo", "exec cat"];
  const ssh = spawn("ssh", words, { cwd: join(states.there, "ssh"), stdio: ["pipe", "pipe", "inherit"] });
  const line = `${"x".repeat(300)}\n`;
  const answered = async () => {
    for (let bytes = 0; bytes < line.length; ) bytes += (await once(ssh.stdout, "data"))[0].length;
  };
  const echo = async () => {
    const answer = answered();
    ssh.stdin.write(line);
    await answer;
  };
  await echo();
  return { once: echo, close: () => ssh.stdin.end() };
}

function endMaster() {
  const cwd = join(states.there, "ssh");
  let sockets = [];
  try {
    sockets = readdirSync(cwd);
  } catch {
    // Nobody has connected yet.
  }
  // A master that has just ended leaves its socket for a moment, and the command fails.
  for (const socket of sockets)
    spawnSync("ssh", ["-o", `ControlPath=${socket}`, "-O", "exit", "x"], { cwd, stdio: "ignore" });
}

function noteRow(name, unit, { ours, floor }) {
  const cell = (who, figures) => ({ name: who, median: median(figures), text: `${number(median(figures))} ${unit}` });
  shownRows[name] = [cell("limpet", ours), cell("ssh", floor)];
}

function shown(ms) {
  return `${ms.toFixed(3)} ms`;
}
