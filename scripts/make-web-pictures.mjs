/**
 * Makes docs/pictures/web-sessions.png, web-session.png and web-phone.png: the page of `limpet web` in Chromium, with
 * sessions in a separate host that look the same everywhere.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { connectHost } from "limpet/service";
import { chromium } from "playwright-core";
import { build, root } from "./run.mjs";

/** Stand-ins print the same everywhere and use no network. */
const STARTED = [
  ["dev", "npm run dev", "{ echo '  ready in 312 ms'; echo '  Local: http://localhost:5173/'; sleep 600; }"],
  [
    "build",
    "make -j8",
    "{ for part in {red,blue}-{oak,elm,fir}; do echo \"CC $part.o\"; done; echo 'LD forest'; sleep 600; }",
  ],
  ["deploy", "ssh deploy@example.com", '{ read -rsp "$1\'s password: "; }'],
  ["notes", "vim notes.md", ""],
  ["", "python3 -q", ""],
];
const AGENT = [
  "printf ' M src/cart.js\\n?? src/cart.test.js\\n'",
  "printf '\\e[31m✘\\e[0m adds the prices\\n  expected 30, got 3000\\n'; false",
  "printf '\\e[32m✔\\e[0m 3 tests passed\\n'",
];
const ASK = {
  caller: "codex",
  requestId: "1",
  client: "codex",
  tool: "run",
  act: {
    kind: "command",
    text: "git push --force origin main",
    program: "/bin/bash",
    session: null,
    directory: "/home/me/shop",
    env: {},
    sandbox: null,
  },
  reasons: [{ text: "git push --force asks (policy.json:12)", topic: "policy.json:12" }],
  prefixes: [["git", "push"]],
  timeoutMs: 600_000,
  mode: "shared",
};

// `--built`: dist/ is as it should be.
const built = process.argv.includes("--built") ? { ok: true } : await build();
if (!built.ok) throw new Error(built.how);
const main = join(root, "dist/bin/main.js");
const home = mkdtempSync(join(tmpdir(), "limpet-pictures-"));
const shop = join(home, "shop");
mkdirSync(shop);
process.chdir(shop);
const env = { ...process.env, LIMPET_HOME: join(home, "state"), XDG_CONFIG_HOME: home, HOME: home };
const limpet = async (...words) => (await promisify(execFile)(process.execPath, [main, ...words], { env })).stdout;
const sessions = connectHost({ stateDirectory: env.LIMPET_HOME, command: [process.execPath, main], reach: "user" });
let browser;
try {
  for (const [name, command, body] of STARTED) await start(name, command, body);
  const shell = await runAsAgent();
  await sessions.hold("notes", { reason: "writing" });
  await sessions.approvals.ask(ASK);
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  await takePicture("web-sessions.png", { width: 1100, height: 760 }, "#/", allLoaded);
  await takePicture("web-session.png", { width: 1100, height: 640 }, `#/session/${shell}`, terminalDrawn);
  await takePicture("web-approvals.png", { width: 1100, height: 480 }, "#/approvals", async (page) => {
    await page.getByRole("button", { name: "Approve once" }).waitFor();
  });
  await takePicture("web-phone.png", { width: 360, height: 640 }, "#/", allLoaded);
} finally {
  await browser?.close();
  await limpet("web", "stop").catch(() => undefined);
  await sessions.stopHost();
  rmSync(home, { recursive: true, force: true });
}

async function start(name, command, body) {
  const stub = body === "" ? {} : { [`BASH_FUNC_${command.split(" ")[0]}%%`]: `() ${body}` };
  const about = { command, shell: "/bin/bash", login: false, cwd: shop, env: stub, ...(name === "" ? {} : { name }) };
  const wait = { kind: "output", quietMs: 500, deadlineMs: 1_500 };
  await sessions.turn({ caller: "codex", on: { kind: "start", start: about }, wait });
}

/** Returns the id of the agent's shell. */
async function runAsAgent() {
  let id = 0;
  for (const command of AGENT) {
    const run = { command, shell: "shop", fresh: { env: { HOME: home }, cwd: shop, shell: "/bin/bash" } };
    ({ id } = (await sessions.turn({ caller: "codex", on: { kind: "run", run } })).session);
  }
  return id;
}

async function takePicture(name, viewport, view, ready) {
  const context = await browser.newContext({ viewport, colorScheme: "dark", reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto((await limpet("web")).trim());
  await page.getByRole("navigation", { name: "Views" }).waitFor();
  await page.evaluate((hash) => {
    location.hash = hash;
  }, view);
  await ready(page);
  await page.screenshot({ path: join(root, "docs/pictures", name) });
  await context.close();
}

async function allLoaded(page) {
  await page.getByText("waits for a password").first().waitFor();
  await page.waitForFunction(() =>
    [...document.images]
      .filter((image) => image.getBoundingClientRect().top < innerHeight)
      .every((image) => image.naturalWidth > 0),
  );
}

async function terminalDrawn(page) {
  await page.waitForFunction(() => document.querySelector(".xterm-rows")?.textContent.includes("3 tests passed"));
}
