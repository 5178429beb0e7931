/**
 * `npm run test:player`: asciinema's own player follows a session of `limpet web` in Chromium: its screen, what it
 * prints then, a new size, and its end. Skipped if the player cannot be installed.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { connectHost } from "limpet/service";
import { chromium } from "playwright-core";
import { fetchClient } from "./clients/fetch-clients.mjs";
import { build, Counts, report, root } from "./run.mjs";

const CLAIMS = 4;
const MAIN = join(root, "dist/bin/main.js");
const LIMIT_MS = 60_000;

const counts = new Counts();
const [player] = (await fetchClient("player")) ?? [];
// `--built`: dist/ is as it should be.
const built = process.argv.includes("--built") ? { ok: true } : await build();
if (!built.ok) counts.fail("the build");
else if (player === undefined) counts.skipped += CLAIMS;
else await testPlayer(readFileSync(player, "utf8"));
report(counts);

async function testPlayer(script) {
  const home = mkdtempSync(join(tmpdir(), "limpet-player-"));
  const env = { ...process.env, LIMPET_HOME: join(home, "state"), XDG_CONFIG_HOME: home, HOME: home };
  const limpet = async (...words) => (await promisify(execFile)(process.execPath, [MAIN, ...words], { env })).stdout;
  const sessions = connectHost({ stateDirectory: env.LIMPET_HOME, command: [process.execPath, MAIN], reach: "user" });
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
    env: { ...process.env, TMPDIR: home },
  });
  try {
    const start = { command: "echo on-the-screen; exec cat", shell: "/bin/sh", login: false, cwd: home };
    const { session } = await sessions.turn({ caller: "test", on: { kind: "start", start } });
    // The page of limpet lets no other script in; the player comes from here, on a page that has signed in.
    const page = await (await browser.newContext({ bypassCSP: true })).newPage();
    page.setDefaultTimeout(LIMIT_MS);
    await page.goto((await limpet("web")).trim());
    await page.getByRole("navigation", { name: "Views" }).waitFor();
    await page.evaluate(script);
    await page.evaluate((id) => {
      document.body.innerHTML = '<div id="player"></div>';
      const url = `ws://${location.host}/live/${id}`;
      const { AsciinemaPlayer } = globalThis;
      globalThis.player = AsciinemaPlayer.create({ driver: "websocket", url }, document.getElementById("player"));
      globalThis.player.play();
      globalThis.player.addEventListener("ended", () => {
        globalThis.hasEnded = true;
      });
    }, session.id);
    const shows = (text) =>
      page.waitForFunction((part) => document.querySelector("#player").textContent.includes(part), text);
    await claim("shows the screen as it is", () => shows("on-the-screen"));
    await sessions.write(session.id, Buffer.from("printed-later\n"));
    await claim("shows what is printed then", () => shows("printed-later"));
    const size = () => page.evaluate(() => JSON.stringify(document.querySelector(".ap-term")?.getAttribute("style")));
    const before = await size();
    await sessions.resize(session.id, { cols: 100, rows: 11 });
    await claim("takes a new size", () =>
      page.waitForFunction(
        (old) => JSON.stringify(document.querySelector(".ap-term")?.getAttribute("style")) !== old,
        before,
      ),
    );
    await sessions.write(session.id, Buffer.from([4]));
    await claim("learns of the end", () => page.waitForFunction(() => globalThis.hasEnded === true));
  } catch (error) {
    counts.fail(`the test runs to its end: ${error.message}`);
  } finally {
    await browser.close();
    await limpet("web", "stop").catch(() => undefined);
    await sessions.stopHost();
    rmSync(home, { recursive: true, force: true });
  }
}

async function claim(what, holds) {
  const title = `asciinema's player ${what}`;
  const problem = await holds().then(
    () => "",
    (error) => `: ${error.message}`,
  );
  console.log(`${problem === "" ? "passed" : "FAILED"}: ${title}${problem}`);
  if (problem === "") counts.pass();
  else counts.fail(title);
}
