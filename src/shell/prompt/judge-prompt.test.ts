import { describe, expect, test } from "vitest";
import {
  type FreshFacts,
  judgeFreshPrompt,
  judgePrompt,
  judgeRead,
  type PromptFacts,
  type ReadFacts,
  type ShellRead,
} from "./judge-prompt.ts";

const PROMPT = "0 0x0 0x7f00 0x400";
const ELSEWHERE = "0 0x0 0x7fff 0x1";

const lines: ShellRead = { address: PROMPT, isPlainRead: true, hasTimeout: false, isCanonical: true };
const readBuiltin: ShellRead = { ...lines, address: ELSEWHERE };
const keys: ShellRead = { address: ELSEWHERE, isPlainRead: true, hasTimeout: false, isCanonical: false };
const editing: ShellRead = { address: ELSEWHERE, isPlainRead: false, hasTimeout: false, isCanonical: false };
const polling: ShellRead = { address: ELSEWHERE, isPlainRead: false, hasTimeout: false, isCanonical: true };

const idle: PromptFacts = {
  read: lines,
  promptAddress: PROMPT,
  hasPrompted: true,
  editsLines: false,
  hasRival: false,
  lastReport: { kind: "prompt", isCertain: true },
  hasTypedLine: false,
  hasTypedSince: false,
  hasTyped: false,
  hasUnfinishedLine: false,
  queuedInputBytes: 0,
  outputEndsLine: true,
};

describe("a command may be typed", () => {
  test.each<[string, Partial<PromptFacts>, string | undefined]>([
    ["where the shell reads at its prompt", {}, PROMPT],
    ["where the shell reads for the first time", { promptAddress: undefined, read: readBuiltin }, ELSEWHERE],
    ["where the shell edits its first line", { promptAddress: undefined, read: editing }, undefined],
    ["where its prompt moved and nobody typed", { read: readBuiltin }, ELSEWHERE],
    [
      "where the kernel does not say the address",
      { promptAddress: undefined, read: { ...lines, address: undefined } },
      undefined,
    ],
    ["where the shell edits a line", { read: editing }, undefined],
    ["where it edits in line mode, and nobody typed", { editsLines: true, read: polling }, PROMPT],
    [
      "where it edits in line mode after an end mark without hooks",
      { editsLines: true, read: polling, lastReport: { kind: "end", hasHooks: false } },
      PROMPT,
    ],
    ["where the prompt follows a typed line without a line end", { hasTypedLine: true, outputEndsLine: false }, PROMPT],
    [
      "where a hook edits, which no hook does",
      { read: editing, lastReport: { kind: "end", hasHooks: true } },
      undefined,
    ],
  ])("%s", (_, facts, promptAddress) => {
    expect(judgePrompt({ ...idle, ...facts })).toMatchObject({ at: "prompt" });
    expect(judgePrompt({ ...idle, ...facts }).promptAddress).toBe(promptAddress);
  });
});

describe("no command may be typed", () => {
  test.each<[string, "elsewhere" | "unsure", Partial<PromptFacts>]>([
    ["while the shell does not read", "elsewhere", { read: undefined }],
    ["while another process reads, too", "elsewhere", { hasRival: true }],
    ["behind a line that somebody typed without Enter", "elsewhere", { hasUnfinishedLine: true }],
    ["before input that is on its way", "elsewhere", { queuedInputBytes: 1 }],
    ["into a line that continues", "elsewhere", { hasTypedLine: true }],
    [
      "into the polling read of a shell that edits lines, after input",
      "elsewhere",
      { editsLines: true, read: polling, hasTyped: true },
    ],
    [
      "into the polling read of a shell that edits lines, which may be that of a hook",
      "elsewhere",
      { editsLines: true, read: polling, lastReport: { kind: "end", hasHooks: true } },
    ],
    [
      "into the polling read of a shell whose prompt a program may have printed",
      "elsewhere",
      { editsLines: true, read: polling, lastReport: { kind: "prompt", isCertain: false } },
    ],
    ["into a hook that reads", "unsure", { read: readBuiltin, lastReport: { kind: "end", hasHooks: true } }],
    ["into what a typed line started", "unsure", { read: readBuiltin, hasTypedLine: true, outputEndsLine: false }],
    ["into what a line started that was typed before the prompt", "unsure", { read: readBuiltin, hasTypedSince: true }],
    ["where a shell that edits lines reads elsewhere", "unsure", { read: readBuiltin, editsLines: true }],
  ])("%s", (_, at, facts) => {
    const verdict = judgePrompt({ ...idle, ...facts });

    expect(verdict).toEqual({ at, why: expect.stringMatching(/./) });
  });
});

const fresh: FreshFacts = {
  lastReport: { kind: "prompt", isCertain: true },
  promptAddress: PROMPT,
  editsLines: false,
  hasRival: false,
  promptAgeMs: 1,
  hasTyped: false,
  hasUnfinishedLine: false,
  queuedInputBytes: 0,
  hasUnreadInput: false,
  isShellInForeground: true,
  isCanonical: true,
};

describe("a fresh prompt", () => {
  test.each<[string, Partial<FreshFacts>]>([
    ["of a known shell", {}],
    ["of a shell that edits lines, whose address may be unknown", { editsLines: true, promptAddress: undefined }],
    [
      "of a shell that edits lines, whichever program printed it",
      { editsLines: true, lastReport: { kind: "prompt", isCertain: false } },
    ],
  ])("%s needs no probe", (_, facts) => {
    expect(judgeFreshPrompt({ ...fresh, ...facts })).toMatchObject({ at: "prompt" });
  });

  test.each<[string, Partial<FreshFacts>]>([
    ["that did not come yet", { lastReport: { kind: "end", hasHooks: false } }],
    ["that a program may have printed", { lastReport: { kind: "prompt", isCertain: false } }],
    ["of a shell whose address is unknown", { promptAddress: undefined }],
    ["of some time ago", { promptAgeMs: 21 }],
    ["after which somebody typed", { hasTyped: true }],
    ["behind which somebody has typed a line without Enter", { hasUnfinishedLine: true }],
    ["with input on its way", { queuedInputBytes: 1 }],
    ["with input that nobody read", { hasUnreadInput: true }],
    ["while another process reads, too", { hasRival: true }],
    ["behind a program in the foreground", { isShellInForeground: false }],
    ["in a terminal that gives keys", { isCanonical: false }],
  ])("%s needs one", (_, facts) => {
    expect(judgeFreshPrompt({ ...fresh, ...facts })).toMatchObject({ at: "unsure" });
  });
});

describe("a shell reads", () => {
  const known: ReadFacts = {
    read: lines,
    promptAddress: PROMPT,
    hasPrompted: true,
    editsLines: false,
    hasRival: false,
  };

  test.each<[string, string, Partial<ReadFacts>]>([
    ["nothing", "none", { read: undefined }],
    ["at its prompt", "prompt", {}],
    ["beside another process", "contested", { hasRival: true }],
    [
      "at its prompt also in a terminal that was left in raw mode",
      "prompt",
      { read: { ...lines, isCanonical: false } },
    ],
    ["for its command: a line", "command", { read: readBuiltin }],
    ["for its command: a key", "command", { read: keys }],
    ["for its command, polling, as one that edits lines does", "command", { editsLines: true, read: polling }],
    ["perhaps at its prompt: it edits", "unsure", { read: editing }],
    ["perhaps at its prompt: it edits, and a program has reset the terminal", "unsure", { read: polling }],
    ["for its command: a line, for some time", "command", { read: { ...polling, hasTimeout: true } }],
    ["perhaps at its prompt: the address is unknown", "unsure", { promptAddress: undefined }],
    ["perhaps at its prompt: no prompt of ours came", "unsure", { hasPrompted: false, read: readBuiltin }],
    ["perhaps at its first prompt, polling", "unsure", { hasPrompted: false, editsLines: true, read: polling }],
  ])("%s", (_, verdict, facts) => {
    expect(judgeRead({ ...known, ...facts })).toBe(verdict);
  });
});
