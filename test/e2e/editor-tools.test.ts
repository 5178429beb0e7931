/** Editors and pagers, used through the tools as a model uses them: what it sees, and what comes of it. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drive, freshHome } from "../support/driven-program.ts";
import { skipTestWithout } from "../support/needs.ts";
import { expectGolden } from "../support/screen/golden-screen.ts";

const VIM = "vim -N -u NONE -i NONE -n";

function read(cwd: string, name: string): string {
  return readFileSync(join(cwd, name), "utf8");
}

test("a file is edited and saved in vim", async () => {
  const { cwd } = freshHome();
  writeFileSync(join(cwd, "poem.txt"), "roses are red\nviolets are red\n");
  const vim = await drive(`${VIM} poem.txt`, { cwd });
  await vim.shows("violets are red");

  await vim.type("2G$bcwblue");
  await vim.shows("violets are blue");
  await vim.press("Esc");
  await vim.type(":set number\n");
  await expectGolden("vim", await vim.screenWith("2 violets are blue", ":set number"));
  await vim.type(":wq\n");

  expect(await vim.exitCode()).toBe(0);
  expect(read(cwd, "poem.txt")).toBe("roses are red\nviolets are blue\n");
});

test("a file is paged and searched in less", async () => {
  const { cwd } = freshHome();
  const rows = Array.from({ length: 200 }, (_, index) => `row ${index + 1}${index === 149 ? " has the needle" : ""}`);
  writeFileSync(join(cwd, "log"), `${rows.join("\n")}\n`);
  const less = await drive("less log", { cwd, env: { LESS: "", LESSHISTFILE: "-" } });
  await less.shows("row 23$");

  await less.press("PageDown");
  await less.shows("row 46$");
  await less.type("/needle\n");
  await expectGolden("less", await less.screenWith("⟦needle⟧", "row 172", "⟦"));
  await less.type("q");

  expect(await less.exitCode()).toBe(0);
});

test("two commits change places in a rebase, through vim", async () => {
  skipTestWithout("git", "vim");
  const { cwd } = freshHome();
  const env = {
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@example.org",
    GIT_AUTHOR_DATE: "2020-01-01T00:00:00Z",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@example.org",
    GIT_COMMITTER_DATE: "2020-01-01T00:00:00Z",
    GIT_SEQUENCE_EDITOR: VIM,
  };
  const git = (...words: string[]) =>
    execFileSync("git", words, { cwd, env: { PATH: process.env["PATH"], ...env }, encoding: "utf8" });
  git("init", "--quiet", "--initial-branch=main");
  for (const name of ["first", "second", "third"]) {
    writeFileSync(join(cwd, name), name);
    git("add", name);
    git("commit", "--quiet", "--message", `Add the ${name}`);
  }
  const rebase = await drive("git rebase -i HEAD~2", { cwd, env });
  await rebase.shows("pick [0-9a-f]+ Add the third");

  await rebase.type("ggddp");
  await rebase.shows("(?s)Add the third.*Add the second");
  const todo = await rebase.screenWith("Add the second", "# Commands:");
  await rebase.type(":wq\n");

  await expectGolden("git-rebase", todo.slice(0, todo.indexOf("# Commands:")).trimEnd());
  expect(await rebase.exitCode()).toBe(0);
  expect(git("log", "--format=%s").trim().split("\n")).toEqual(["Add the second", "Add the third", "Add the first"]);
});

test("a file is written in nano", async () => {
  const { cwd } = freshHome();
  const nano = await drive("nano --ignorercfiles note.txt", { cwd });
  await nano.shows("Exit");

  await nano.type("first line", "Enter");
  await nano.type("second line");
  await nano.shows("second line");
  await nano.press("Ctrl+O");
  await nano.shows("File Name to Write: note.txt");
  await nano.press("Enter");
  const screen = await nano.screenWith("Wrote 2 lines", "second line", "Exit");
  await nano.press("Ctrl+X");

  await expectGolden("nano", screen.replace(/GNU nano [\d.]+ +/, "GNU nano VERSION  "));
  expect(await nano.exitCode()).toBe(0);
  expect(read(cwd, "note.txt")).toBe("first line\nsecond line\n");
});

test("a line feed is Ctrl+J to nano, not Enter", async () => {
  const { cwd } = freshHome();
  const nano = await drive("nano --ignorercfiles note.txt", { cwd });
  await nano.shows("Exit");

  await nano.type("one line\n");
  await nano.shows("Justified");
  await nano.press("Ctrl+X");
  await nano.shows("Save modified buffer");
  await nano.type("n");

  expect(await nano.exitCode()).toBe(0);
});
