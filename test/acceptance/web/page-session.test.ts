/** One session in the page: watching, taking over, what happened before; in a real browser, with real programs. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { runCommand, startSession } from "../../../src/service/turn/simple-turns.ts";
import { needs } from "../../support/needs.ts";
import { codeOf } from "../../support/sessions.ts";
import { seriousFindings } from "../../support/web/axe.ts";
import { shownText } from "../../support/web/shown-text.ts";
import { soon } from "../../support/web/soon.ts";
import { openWeb, type WebUnderTest } from "../../support/web/web-under-test.ts";

const HOSTILE = "</script><img src=x onerror=document.title=1>";
const FRESH = { shell: "/bin/bash" };

describe.skipIf(!needs("chromium"))("the page of one session", { timeout: 180_000 }, () => {
  let web: WebUnderTest;
  beforeAll(async () => {
    web = await openWeb();
  }, 120_000);
  afterAll(async () => await web[Symbol.asyncDispose]());

  /** Runs until the test ends. */
  const start = async (command: string) => {
    const plain = { login: false, shell: "/bin/bash", cwd: web.cli.folder };
    const { id } = await startSession(web.cli.sessions, { ...plain, command }, "codex");
    onTestFinished(async () => void (await web.cli.sessions.close(id, { force: true })));
    return id;
  };
  const run = (command: string, shell: string) =>
    runCommand(web.cli.sessions, { command, shell, fresh: { ...FRESH, cwd: web.cli.folder }, caller: "codex" });
  const screen = (page: Page) => shownText(page.locator(".xterm-rows"));
  const answer = async (page: Page, button: string, text = "") => {
    const dialog = page.getByRole("dialog");
    if (text !== "") await dialog.getByRole("textbox").fill(text);
    await dialog.getByRole("button", { name: button, exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  };

  test("shows what an agent does while it does it, and lists its commands with their exit codes", async () => {
    const { id } = await run("echo before-the-page", "watched");
    const { page, problems } = await web.open({ view: `#/session/${id}` });
    await soon(() => screen(page)).toContain("before-the-page");

    await run("echo while-the-page-watches; false", "watched");

    await soon(() => screen(page)).toContain("while-the-page-watches");
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("2");
    const commands = page.getByRole("list", { name: "Commands, newest first" }).getByRole("listitem");
    await soon(() => commands.count()).toBe(2);
    expect(await shownText(commands.first())).toMatch(/while-the-page-watches; false[\s\S]*exit code 1/);
    expect(await seriousFindings(page)).toEqual([]);
    await commands.last().getByRole("link").click();
    await soon(() => shownText(page.getByRole("region", { name: "Text of the output" }))).toContain("before-the-page");
    expect(problems).toEqual([]);
  });

  test("nothing is typed before a person takes over, and then agents cannot type until it is handed back", async () => {
    const id = await start("cat");
    const { page, problems } = await web.open({ view: `#/session/${id}` });
    await page.locator(".xterm-screen").click();
    await page.keyboard.type("zzz");

    await page.getByRole("button", { name: "Take over…" }).click();
    await answer(page, "Take over", "showing how");
    await page.getByText("held: showing how").waitFor();
    await soon(() => page.evaluate("document.activeElement.className")).toContain("xterm-helper-textarea");
    await page.keyboard.type("typed by a person\n");

    await soon(() => screen(page)).toMatch(/typed by a person\s+typed by a person/);
    expect(await screen(page)).not.toContain("zzz");
    const refused = codeOf(web.cli.sessions.write(id, [{ kind: "text", text: "x" }], { caller: "codex" }));
    expect(await refused).toBe("SESSION_HELD");
    await page.getByRole("button", { name: "Up", exact: true }).click();
    await page.keyboard.press("Control+Shift+H");
    await soon(() => page.evaluate("document.activeElement.textContent")).toBe("Hand back…");
    await page.keyboard.press("Enter");
    await answer(page, "Hand back", "continue with step two");
    await page.getByRole("button", { name: "Take over…" }).waitFor();
    await web.cli.sessions.write(id, [{ kind: "text", text: "by the agent\n" }], { caller: "codex" });
    await soon(() => screen(page)).toContain("by the agent");
    expect(problems).toEqual([]);
  });

  test("the keyboard alone takes over, and the terminal gets every key, also those that are shortcuts", async () => {
    const id = await start("cat -v");
    const { page } = await web.open({ view: `#/session/${id}` });
    await page.locator(".xterm-rows").waitFor();
    await page.getByRole("button", { name: "Take over…" }).waitFor();

    await page.keyboard.press("t");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Enter");
    await soon(() => page.evaluate("document.activeElement.className")).toContain("xterm-helper-textarea");
    await page.keyboard.type("s/a?t1jk");
    await page.keyboard.press("Tab");
    await page.keyboard.type("end");
    await page.keyboard.press("Enter");

    await soon(() => screen(page)).toMatch(/s\/a\?t1jk\s+end\s+s\/a\?t1jk(?:\^I|\s+)end/);
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("a search in the output finds lines that have left the screen, and jumps to them", async () => {
    const { id } = await run("echo needle-at-the-start; seq 1 3000", "long");
    const { page } = await web.open({ view: `#/session/${id}/output` });
    const text = page.getByRole("region", { name: "Text of the output" });
    await soon(() => shownText(text)).toContain("3000");

    await page.getByRole("searchbox").fill("NEEDLE-at");
    await page.keyboard.press("Enter");
    await page.getByText(/^1 of \d+ lines match$/).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("list", { name: "Lines that match" }).getByRole("link").click();

    await soon(() => shownText(text)).toMatch(/^needle-at-the-start\n1\n2\n/);
  });

  test("a recording is made and played", async () => {
    const { id } = await run(`echo this-is-recorded; echo '${HOSTILE}'`, "filmed");
    const { page, problems } = await web.open({ view: `#/session/${id}/recordings` });

    await page.getByRole("button", { name: "Record" }).click();
    await page.getByText("still recording").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped.").waitFor();
    await page.getByRole("list", { name: "Recordings" }).getByRole("button", { name: "Play" }).click();
    const player = page.getByRole("region", { name: "Player" });
    await player.getByLabel("Position").focus();
    await page.keyboard.press("End");

    await soon(() => player.locator("svg").textContent()).toContain("this-is-recorded");
    expect(await player.locator("svg").textContent()).toContain(HOSTILE);
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).toBe("limpet");
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("details show processes, and a session is closed only after a confirmation", async () => {
    const id = await start("sleep 600 & sleep 601");
    const { page, problems } = await web.open({ view: `#/session/${id}/details` });
    const sleeps = /(sleep\s+\d+\.\d MB\s+\d+\.\d\d s[\s\S]*){2}All 3 processes/;
    await soon(() => shownText(page.getByRole("table"))).toMatch(sleeps);
    expect(await seriousFindings(page)).toEqual([]);

    await page.getByRole("button", { name: "Close…" }).click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await web.cli.sessions.find(id)).toMatchObject({ exit: null });
    await page.getByRole("button", { name: "Close…" }).click();
    await answer(page, "Close");

    await soon(async () => (await web.cli.sessions.find(id)).exit).not.toBeNull();
    await soon(() => page.getByRole("button", { name: "Close…" }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test("a person who is in control pastes, and fits the size as long as they wish", async () => {
    const id = await start("printf '\\033[?2004hready\\n'; cat -v");
    const own = (await web.cli.sessions.find(id)).size;
    const { page, problems } = await web.open({ view: `#/session/${id}` });
    await soon(() => screen(page)).toContain("ready");
    await page.getByRole("button", { name: "Take over…" }).click();
    await answer(page, "Take over");

    await page.getByRole("button", { name: "Paste…" }).click();
    await page.getByRole("dialog").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await answer(page, "Paste", "as one paste");
    await soon(() => screen(page)).toContain("^[[200~as one paste^[[201~");
    const fit = page.getByRole("button", { name: "Fit size" });
    await fit.click();
    await soon(async () => (await web.cli.sessions.find(id)).size).not.toEqual(own);
    await soon(() => fit.getAttribute("aria-pressed")).toBe("true");
    await fit.click();
    await soon(async () => (await web.cli.sessions.find(id)).size).toEqual(own);
    expect(problems).toEqual([]);
  });

  test("a person freezes and thaws a session, renames it, and starts its program anew", async () => {
    const id = await start("echo started; cat");
    const { page, problems } = await web.open({ view: `#/session/${id}` });

    await page.getByRole("button", { name: "Freeze" }).click();
    await page.getByRole("button", { name: "Thaw" }).waitFor();
    await soon(() => shownText(page.locator(".badges"))).toContain("frozen");
    await page.getByRole("button", { name: "Thaw" }).click();
    await page.getByRole("button", { name: "Freeze" }).waitFor();
    await page.getByRole("button", { name: "Rename…" }).click();
    await page.getByRole("dialog").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await answer(page, "Rename", "renamed-here");
    await page.getByRole("heading", { name: "renamed-here" }).waitFor();
    await page.getByRole("button", { name: "Restart…" }).click();
    await answer(page, "Restart");

    await soon(() => page.evaluate("location.hash")).not.toBe(`#/session/${id}`);
    await page.getByRole("heading", { name: "renamed-here" }).waitFor();
    await soon(() => screen(page)).toContain("started");
    expect(problems).toEqual([]);
  });

  test("a program can neither write the clipboard, nor make the terminal type, nor offer another link than of the web", async () => {
    const osc = (text: string) => `\\033]${text}\\007`;
    const clipboard = osc(`52;c;${Buffer.from("stolen").toString("base64")}`);
    const link = `${osc("8;;javascript:document.title=1")}click-me${osc("8;;")}`;
    const questions = `\\033[c\\033[>c\\033[6n\\033[?6n\\033[18t\\033[?2026$p\\033P$qm\\033\\\\\\\\${osc("10;?")}${osc("4;1;?")}`;
    const id = await start("cat -v");
    const { page, problems } = await web.open({
      view: `#/session/${id}`,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.evaluate("navigator.clipboard.writeText('mine')");
    await page.getByRole("button", { name: "Take over…" }).click();
    await answer(page, "Take over");
    await page.getByText("held").first().waitFor();
    const other = await start(`printf '${clipboard}${link}${questions} ready'; cat -v`);
    await page.evaluate(`location.hash = "#/session/${other}"`);
    await page.getByRole("button", { name: "Take over…" }).click();
    await answer(page, "Take over");

    await soon(() => screen(page)).toContain("click-me");
    // The keys below the screen appear with the control, and move it.
    await page.getByRole("button", { name: "Up", exact: true }).waitFor();
    const clickLink = async () => {
      const place = await page.getByText("click-me").boundingBox();
      await page.mouse.click((place?.x ?? 0) + 10, (place?.y ?? 0) + 5);
      return await page.evaluate("document.activeElement.className");
    };
    await soon(clickLink).toContain("xterm-helper-textarea");
    await page.keyboard.type("and-now-a-person\n");
    await soon(() => screen(page)).toMatch(/and-now-a-person\s+and-now-a-person/);
    expect(await screen(page)).not.toContain("^[");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("mine");
    expect(await page.title()).not.toBe("1");
    expect(page.context().pages()).toHaveLength(1);
    expect(problems).toEqual([]);
  });
});
