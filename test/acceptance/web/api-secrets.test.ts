/** A password from the browser reaches the terminal and nothing else. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PromptAnswer } from "../../../src/web/api/messages.ts";
import { filesBelow, formsIn, openSecretHost, type SecretHost } from "../../support/secrets.ts";
import { codeOf } from "../../support/sessions.ts";
import { openApi, PERSON } from "../../support/web/api.ts";

const SECRET = "correct horse battery";
const ASKS = 'read -rsp "Password: " p; echo; echo "length ${#p}"; echo "value $p"; read -r';
const PLAIN = { login: false, shell: "/bin/bash", yield_time_ms: 60_000 };

let host: SecretHost;
beforeAll(async () => {
  host = await openSecretHost({});
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
});

async function asking(): Promise<number> {
  const { structured } = await host.call("exec_command", { ...PLAIN, cmd: ASKS });
  expect(structured["waiting_for"]).toBe("password");
  return structured["session_id"] as number;
}

test("it is typed at the prompt that the person saw, once, and is in no answer, stream, picture, journal or audit", async () => {
  const { sessions } = host.cli;
  const api = openApi(sessions);
  const id = await asking();
  const stop = new AbortController();
  const shown: string[] = [];
  const watching = (async () => {
    for await (const { data } of api.events(`/api/events?terminal=${id}`, { signal: stop.signal })) {
      const { bytes } = data as { readonly bytes?: string };
      if (bytes !== undefined) shown.push(Buffer.from(bytes, "base64").toString());
    }
  })();
  const path = `/api/sessions/${id}/prompt`;

  const { prompt } = await api.ask<PromptAnswer>("GET", path);
  expect(prompt).toMatchObject({ id });
  await api.ask("POST", path, { token: prompt?.token, value: SECRET });
  await expect.poll(() => shown.join("")).toContain(`value ${"*".repeat(SECRET.length)}`);
  expect(shown.join("")).toContain(`length ${SECRET.length}`);
  expect(await codeOf(api.ask("POST", path, { token: prompt?.token, value: SECRET }))).toBe("PROMPT_CHANGED");
  expect(await api.ask("GET", path)).toEqual({ prompt: null });
  for (const what of ["picture", "history", "output?from=0", "search?q=value", "details"])
    await api.answer("GET", `/api/sessions/${id}/${what}`);
  stop.abort();
  await watching;

  expect(formsIn([...api.said, ...shown, ...host.answers].join("\n"), SECRET)).toEqual([]);
  const audit = () => filesBelow(host.cli.folder).find(({ path: file }) => file.endsWith("/audit.log"))?.text;
  await expect.poll(audit).toContain('"event":"typed"');
  const files = filesBelow(host.cli.folder).filter(({ text }) => formsIn(text, SECRET).length > 0);
  expect(files.map(({ path: file }) => file)).toEqual([]);
});

test("an answer that does not fit is refused without repeating it", async () => {
  const api = openApi(host.cli.sessions);
  const id = await asking();
  const post = (body: object) => api.ask("POST", `/api/sessions/${id}/prompt`, body);

  for (const body of [{ token: "x", value: SECRET }, { value: SECRET }, { token: "x", value: [SECRET] }]) {
    const message = await post(body).then(
      () => "",
      (error: Error) => error.message,
    );
    expect(message).toMatch(/\. /);
    expect(message).not.toContain(SECRET);
  }
});

test("a link for one prompt answers that one only", async () => {
  const { sessions } = host.cli;
  const api = openApi(sessions);
  const id = await asking();
  const token = (await sessions.passwordPrompt(id))?.token ?? "";
  const path = `/api/sessions/${id}/prompt`;
  const by = (prompt: string) => ({ visitor: { ...PERSON, session: String(id), prompt } });

  expect(await api.answer("GET", path, by("another"))).toEqual({ kind: "json", value: { prompt: null } });
  const answer = { body: { token, value: SECRET } };
  expect(await codeOf(api.answer("POST", path, { ...by("another"), ...answer }))).toBe("PROMPT_CHANGED");
  await api.answer("POST", path, { ...by(token), ...answer });

  await expect.poll(async () => (await sessions.find(id)).outputBytes).toBeGreaterThan(40);
});
