/** Approvals and passwords in the page, in a real browser. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readOutput, startSession } from "../../../src/service/turn/simple-turns.ts";
import { needs } from "../../support/needs.ts";
import { approvalAsk } from "../../support/policy/approvals.ts";
import { filesBelow, formsIn } from "../../support/secrets.ts";
import { seriousFindings } from "../../support/web/axe.ts";
import { openPageIn } from "../../support/web/browser.ts";
import { shownText } from "../../support/web/shown-text.ts";
import { soon } from "../../support/web/soon.ts";
import { openWeb, type WebUnderTest } from "../../support/web/web-under-test.ts";

const SECRET = "correct horse battery staple";

describe.skipIf(!needs("chromium"))("approvals and passwords in the page", { timeout: 180_000 }, () => {
  let web: WebUnderTest;
  beforeAll(async () => {
    web = await openWeb();
  }, 120_000);
  afterAll(async () => await web[Symbol.asyncDispose]());

  const stateOf = async (number: number) =>
    (await web.cli.sessions.approvals.wait({ caller: "agent", number, deadlineMs: 60_000 })).state;

  test("a request appears with all that the command line shows, and one click approves it once", async () => {
    const { page, problems } = await web.open({ view: "#/approvals" });
    await page.getByText("Nothing waits for approval.").waitFor();

    const hidden = "git push # \u202efdp.exe \u0435";
    const { number } = await web.cli.sessions.approvals.ask(approvalAsk(hidden));
    const item = page.getByRole("listitem").filter({ hasText: `Approval ${number}` });
    await item.waitFor();

    const printed = (await web.cli.limpet(["approvals"])).stdout;
    const described = printed.slice(printed.indexOf(": ") + 2, printed.indexOf("\nDecide:"));
    expect(await item.locator("pre").textContent()).toBe(described.trimEnd());
    expect(described).toContain("⟨U+202E⟩");
    expect(await seriousFindings(page)).toEqual([]);
    await soon(() => page.title()).toBe("(1) limpet");
    await item.getByRole("button", { name: "Approve once" }).click();
    expect(await stateOf(number)).toMatchObject({ kind: "approved", scope: "once" });
    await page.getByText("Nothing waits for approval.").waitFor();
    expect(problems).toEqual([]);
  });

  test("approving for the session, and denying with a reason that the agent reads", async () => {
    const { page } = await web.open({ view: "#/approvals" });
    const first = await web.cli.sessions.approvals.ask(approvalAsk("make one"));
    const second = await web.cli.sessions.approvals.ask(approvalAsk("make two"));
    const item = (number: number) => page.getByRole("listitem").filter({ hasText: `Approval ${number}` });

    await item(first.number).getByRole("button", { name: "For this session" }).click();
    await item(second.number).getByRole("button", { name: "Deny…" }).click();
    await page.getByRole("dialog").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("textbox").fill("use a branch");
    await page.getByRole("dialog").getByRole("button", { name: "Deny" }).click();

    expect(await stateOf(first.number)).toMatchObject({ kind: "approved", scope: "session" });
    expect(await stateOf(second.number)).toMatchObject({ kind: "denied", reason: "use a branch" });
  });

  test("approving for ever adds a rule, which the button names", async () => {
    const { page } = await web.open({ view: "#/approvals" });
    const reasons = [{ text: "The rule says ask (policy.json:9)", topic: "policy.json:9" }];
    const asked = approvalAsk("npm run build", { prefixes: [["npm", "run", "build"]], reasons });
    const { number } = await web.cli.sessions.approvals.ask(asked);
    const always = page.getByRole("button", { name: "Always: add a rule" });

    expect(await always.getAttribute("title")).toBe("npm run build");
    await always.click();

    expect(await stateOf(number)).toMatchObject({ kind: "approved", scope: "rule" });
    const file = join(web.cli.folder, "config/limpet/policy.json");
    await soon(() => existsSync(file) && readFileSync(file, "utf8")).toContain('"npm"');
    const rule = { prefix: ["npm", "run", "build"], decision: "allow" };
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ rules: [rule] });
  });

  test("a link for one prompt shows one box, types what is in it, and then nothing else", async () => {
    const command = 'read -rsp "Password: " p; echo; echo "length ${#p}"; sleep 600';
    const { id } = await startSession(web.cli.sessions, { command, login: false, shell: "/bin/bash" }, "codex");
    await soon(() => web.cli.sessions.passwordPrompt(id)).not.toBeNull();
    const { link } = (await web.cli.json("answer", String(id), "--link")) as { readonly link: string };
    const { page, problems } = await openPageIn(web.browser, { width: 400 });

    await page.goto(link);
    const box = page.getByLabel(/waits for a password/);
    await box.waitFor();

    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.getByRole("navigation").count()).toBe(0);
    expect(await page.locator("input").count()).toBe(1);
    expect(page.url()).not.toContain("key");
    await box.fill(SECRET);
    await page.keyboard.press("Enter");
    await page.getByText("The password was typed. You can close this page.").waitFor();
    expect(await page.locator("input").count()).toBe(0);
    await page.reload();
    await page.getByText("no longer waits for this password").waitFor();
    expect(formsIn(await page.content(), SECRET)).toEqual([]);
    expect(problems).toEqual([]);
    await web.cli.sessions.close(id, { force: true });
  });

  test("a password goes to its prompt, and into no file, no answer and no address", async () => {
    const command = 'read -rsp "Password: " p; echo; echo "length ${#p}, $p"; sleep 600';
    const { id } = await startSession(web.cli.sessions, { command, login: false, shell: "/bin/bash" }, "codex");
    const { page, asked, problems } = await web.open({ view: `#/session/${id}` });
    const answers: string[] = [];
    page.on("response", (response) => {
      if (!response.url().includes("/events"))
        void response.text().then(
          (text) => answers.push(text),
          () => {},
        );
    });

    const box = page.getByLabel(/waits for a password/);
    await box.fill(SECRET);
    expect(await box.getAttribute("autocomplete")).toBe("off");
    await page.getByRole("button", { name: "Type it" }).click();
    await page.getByText("The password was typed.").waitFor();

    const output = async () =>
      JSON.stringify(await readOutput(web.cli.sessions, id, { kind: "tail", lines: 20, caller: "reader" }));
    await soon(output).toContain(`length ${SECRET.length}`);
    await soon(() => shownText(page.locator(".xterm-rows"))).toContain(`length ${SECRET.length}`);
    expect(formsIn(await output(), SECRET)).toEqual([]);
    expect(formsIn(await page.content(), SECRET)).toEqual([]);
    expect(formsIn([...asked, ...answers].join("\n"), SECRET)).toEqual([]);
    expect(filesBelow(web.cli.folder).filter(({ text }) => formsIn(text, SECRET).length > 0)).toEqual([]);
    expect(problems).toEqual([]);
    await web.cli.sessions.close(id, { force: true });
  });
});
