/** The names, texts and refusals of the seed's session manager, against the profile that promises the same. */
import { expect, test } from "vitest";
import { truncateMiddle } from "../../../src/entries/text.ts";
import { describeForCodex } from "../../../src/tools/answer/describe-result.ts";
import { profiles } from "../../../src/tools/profiles.ts";
import { SEED_TOOLS } from "../../support/seed-tools.ts";
import { openTools } from "../../support/tools.ts";

const result = {
  session_id: 42,
  name: null,
  running: false,
  exit_code: 0,
  signal: null,
  output: "hello",
  truncated: false,
  original_token_count: null,
  wall_time_seconds: 1.234,
  yielded: "exited",
  waiting_for: null,
  cursor: 5,
  dropped_bytes: 0,
} as const;

test("the two tools have the seed's names, texts and schemas to the letter", () => {
  const given = profiles.codex.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));

  expect(given).toEqual(SEED_TOOLS);
});

test("properties are in the order of their names, as the seed's map gives them", () => {
  for (const { inputSchema } of profiles.codex.tools) {
    const names = Object.keys(inputSchema["properties"] as object);
    expect(names).toEqual(names.toSorted());
  }
});

test("the text of an exit without truncation is the seed's", () => {
  expect(describeForCodex(result)).toBe("Wall time: 1.234 seconds\nProcess exited with code 0\nOutput:\nhello");
});

test("the text of a running program with truncation is the seed's", () => {
  const ongoing = { running: true, exit_code: null, truncated: true, original_token_count: 1000, output: "abc" };

  expect(describeForCodex({ ...result, ...ongoing, wall_time_seconds: 0.5 })).toBe(
    "Wall time: 0.500 seconds\nProcess running with session ID 42\n" +
      "Warning: truncated output (original token count: 1000)\nOutput:\nabc",
  );
});

test("text without line feeds and a budget too small for anything becomes the marker alone", () => {
  const { text, originalTokenCount } = truncateMiddle(
    "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    16,
  );

  expect([text, originalTokenCount]).toEqual(["…16 tokens truncated…", 16]);
});

test("a cut prefers the ends of lines", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `${String(index + 1).padStart(3, "0")}\n`).join("");

  const { text, originalTokenCount } = truncateMiddle(lines, 64);

  expect(text).toBe("001\n002\n003\n004\n…12 tokens truncated…\n017\n018\n019\n020\n");
  expect(originalTokenCount).toBe(20);
});

test("fields that the seed does not know are ignored without a word", async () => {
  await using tools = openTools("codex");

  const { text } = await tools.call("exec_command", { cmd: "echo hi", login: false, sandbox: "none", workdri: 1 });

  expect(text.replace(/\d+/g, "N")).toBe("Wall time: N.N seconds\nProcess exited with code N\nOutput:\nhi\n");
});

test("numbers up to the largest of 64 bits are accepted, and others are refused in the seed's words", async () => {
  await using tools = openTools("codex");
  const most = JSON.parse("18446744073709551615");

  const { structured } = await tools.call("exec_command", {
    cmd: "echo hi",
    login: false,
    yield_time_ms: most,
    max_output_tokens: most,
  });
  expect(structured["output"]).toBe("hi\n");
  for (const wrong of [2 ** 65, -1, 1.5, "soon", null]) {
    const refused = await tools.refusal("exec_command", { cmd: "true", yield_time_ms: wrong ?? [] });
    expect(refused).toMatch(/^failed to parse function arguments: yield_time_ms is /);
  }
  expect(await tools.refusal("exec_command", {})).toBe(
    "failed to parse function arguments: cmd is missing. Pass a string.",
  );
  expect(await tools.refusal("write_stdin", { session_id: 2 ** 32, chars: "" })).toMatch(
    /^failed to parse function arguments: session_id is 4294967296\./,
  );
});

test("a start that fails has the seed's words, an id and our reason", async () => {
  await using tools = openTools("codex");

  expect(await tools.refusal("exec_command", { cmd: "true", shell: "/no/such/shell" })).toMatch(
    /^failed to create exec command session for session id \d+: .*\/no\/such\/shell/,
  );
});

test("at the limit the advice is what this profile can do", async () => {
  await using tools = openTools("codex", { maxSessions: 1 });
  await tools.call("exec_command", { cmd: "cat", login: false });

  const refused = await tools.refusal("exec_command", { cmd: "true", login: false });

  expect(refused.replace(/id \d+/, "id N").replace(/\(\d+\)/, "(N)")).toBe(
    "failed to create exec command session for session id N: All 1 sessions are in use (N). " +
      'End one that is not needed with write_stdin: "\\u0003" (Ctrl-C), or what its program takes for an end.',
  );
});

test("the defaults are the seed's: bash as a login shell", async () => {
  await using tools = openTools("codex");

  const { structured } = await tools.call("exec_command", {
    cmd: "readlink /proc/$$/exe; shopt -q login_shell && echo login",
  });

  expect(structured["output"]).toMatch(/\/bash\nlogin\n$/);
});

test("an unknown session and a write to an ended one fail with the seed's words", async () => {
  await using tools = openTools("codex");
  const { structured } = await tools.call("exec_command", { cmd: "true", login: false });

  expect(await tools.refusal("write_stdin", { session_id: 987_654, chars: "" })).toBe("unknown session id 987654");
  expect(await tools.refusal("write_stdin", { session_id: structured["session_id"], chars: "x" })).toMatch(
    /^failed to write to stdin: Cannot write to session \d+: its program exited with code 0\./,
  );
});

test("no line appears that the seed does not know", async () => {
  await using tools = openTools("codex");
  await tools.call("exec_command", { cmd: "exec sleep 1000", yield_time_ms: 0, login: false });

  const { text } = await tools.call("exec_command", { cmd: "printf 'Name? '; read name", login: false });

  expect(text.replace(/\d+/g, "N")).toBe("Wall time: N.N seconds\nProcess running with session ID N\nOutput:\nName? ");
});
