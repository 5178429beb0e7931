/** Real full-screen programs, used through the tools as a model uses them: what it sees, and what comes of it. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { drive, freshHome } from "../support/driven-program.ts";
import { skipTestWithout } from "../support/needs.ts";
import { isAtPlace, skipAtPlace, skipWithoutNode } from "../support/places/is-at-place.ts";
import { expectGolden } from "../support/screen/golden-screen.ts";

function read(cwd: string, name: string): string {
  return readFileSync(join(cwd, name), "utf8");
}

test("htop is sorted by a column chosen in its menu", async () => {
  const { home, cwd } = freshHome();
  const settings = join(home, ".config/htop");
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, "htoprc"), HTOP_SETTINGS.join("\n"));
  const htop = await drive("htop --delay=100", { cwd });
  await htop.shows("CPU%▽");

  await htop.press("F6");
  await htop.shows("Sort by");
  await htop.press("Home");
  const menu = await htop.screenWith("⟦PID");
  await htop.press("Enter");
  await htop.shows("PID△");
  const sorted = await htop.screenWith("PID△", "F10Quit");
  await htop.press("F10");

  await expectGolden("htop", [...menuOf(menu), ...frameOf(sorted)].join("\n"));
  expect(await htop.exitCode()).toBe(0);
  expect(read(settings, "htoprc")).toMatch(/^sort_key=0$/m);
});

/** No meters, whose number depends on the machine; sorted by CPU%. */
const HTOP_SETTINGS = [
  "fields=0 48 46 47 1",
  "sort_key=46",
  "sort_direction=-1",
  "header_layout=one_100",
  "column_meters_0=Uptime",
  "column_meter_modes_0=2",
  "",
];

/** The menu lies left of processes, which are never the same. */
function menuOf(screen: string): string[] {
  const rows = screen.split("\n");
  const menu = rows.slice(rows.findIndex((row) => row.includes("Sort by")) + 1, -1);
  return [...menu.flatMap((row) => /^(⟦[A-Z_]+⟧|[A-Z_]+|Command)(?= |$)/.exec(row)?.[0] ?? []), rows.at(-1) ?? ""];
}

/** Its columns and its keys; how wide a column is depends on the machine. */
function frameOf(screen: string): string[] {
  return screen
    .split("\n")
    .filter((row) => /PID△|F10Quit/.test(row))
    .map((row) => row.trim().replace(/ +/g, " "));
}

test("an item is chosen in a menu of whiptail", async () => {
  const { cwd } = freshHome();
  const menu = await drive("whiptail --title Fruit --menu Pick 12 40 3 a Apple b Banana c Cherry 2>choice", { cwd });
  await menu.shows("Cherry");

  await menu.press("Down");
  await menu.screenWith("⟦b Banana⟧");
  await menu.press("Tab");
  await expectGolden("whiptail", await menu.screenWith("⟦b Banana⟧", "⟦<Ok>⟧"));
  await menu.press("Enter");

  expect(await menu.exitCode()).toBe(0);
  expect(read(cwd, "choice")).toBe("b");
});

test("boxes are ticked in a checklist of dialog", async () => {
  const { cwd } = freshHome();
  const items = "a Apple on b Banana off c Cherry off";
  const list = await drive(`dialog --title Fruit --checklist Pick 12 40 3 ${items} 2>choice`, { cwd });
  await list.screenWith("⟦[*] a  Apple⟧");

  await list.press("Space", "Down", "Down", "Space");
  await expectGolden("dialog", await list.screenWith("[ ] a  Apple", "⟦[*] c  Cherry⟧"));
  await list.press("Enter");

  expect(await list.exitCode()).toBe(0);
  expect(read(cwd, "choice")).toBe("c");
});

test("npm init is answered question by question", async () => {
  skipWithoutNode();
  const { home, cwd } = freshHome();
  const env = {
    npm_config_userconfig: join(home, "npmrc"),
    npm_config_globalconfig: join(home, "npmrc-global"),
    npm_config_cache: join(home, "cache"),
    npm_config_update_notifier: "false",
    npm_config_offline: "true",
    npm_config_init_license: "ISC",
  };
  const npm = await drive("npm init", { cwd, env, rows: 60 });

  for (const [question, answer] of NPM_ANSWERS) {
    await npm.shows(`^${question}:`);
    await npm.type(`${answer}\n`);
  }
  await npm.shows("^type:|Is this OK");
  if ((await npm.screenWith("license:")).includes("\ntype:")) await npm.type("\n");
  await npm.shows("Is this OK");
  const screen = await npm.screenWith("Is this OK? (yes)");
  await npm.type("yes\n");

  await expectGolden("npm-init", questionsOf(screen));
  expect(await npm.exitCode()).toBe(0);
  expect(JSON.parse(read(cwd, "package.json"))).toMatchObject({
    name: "shell-fish",
    version: "0.1.0",
    description: "Clings to rocks",
    main: "index.js",
    scripts: { test: "node --test" },
    keywords: ["sea", "rock"],
    author: "A. Nemone",
    license: "MIT",
  });
});

const NPM_ANSWERS = [
  ["package name", "shell-fish"],
  ["version", "0.1.0"],
  ["description", "Clings to rocks"],
  ["entry point", ""],
  ["test command", "node --test"],
  ["git repository", ""],
  ["keywords", "sea rock"],
  ["author", "A. Nemone"],
  ["license", "MIT"],
] as const;

/** Without the file, whose order differs between versions, and the question that only some ask. */
function questionsOf(screen: string): string {
  const rows = screen.slice(0, screen.indexOf("About to write")).trimEnd().split("\n");
  return rows.filter((row) => !row.startsWith("type:")).join("\n");
}

test("two panes of tmux run a command each", async () => {
  skipTestWithout("tmux");
  const { home, cwd } = freshHome();
  const env = { TMUX_TMPDIR: home, SHELL: "/bin/sh" };
  onTestFinished(() => {
    spawnSync("tmux", ["-L", "limpet-panes", "kill-server"], { env: { ...process.env, ...env } });
  });
  const setUp = `set -g default-command "env PS1='pane> ' dash" \\; set -g status-right ""`;
  const tmux = await drive(`tmux -L limpet-panes -f /dev/null start-server \\; ${setUp} \\; new-session -n both`, {
    cwd,
    env,
  });
  await tmux.shows("pane>");

  await tmux.type("echo left | tee left.txt\n");
  await tmux.shows("^left");
  await tmux.press("Ctrl+B");
  await tmux.type("%");
  await tmux.shows("│pane>");
  await tmux.type("echo right | tee right.txt\n");
  await tmux.shows("│right");
  // With the prompts that follow both commands.
  await expectGolden("tmux", await tmux.screenWith("│right\npane>", "│pane>\n", "both"));
  await tmux.type("exit\n");
  await tmux.shows("(?s)^[^│]+\\[0\\] 0:both");
  await tmux.type("exit\n");

  expect(await tmux.exitCode()).toBe(0);
  expect([read(cwd, "left.txt"), read(cwd, "right.txt")]).toEqual(["left\n", "right\n"]);
});

test("a variable is changed in the Python debugger", async () => {
  skipTestWithout("python3");
  if (isAtPlace()) skipAtPlace("Python may be somewhere else there");
  const { cwd } = freshHome();
  writeFileSync(join(cwd, "prices.py"), PRICES.join("\n"));
  const python = execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();
  const pdb = await drive(`${python} -m pdb prices.py`, { cwd });
  await pdb.shows("^\\(Pdb\\)$");

  await pdb.type("break total\n");
  await pdb.shows("Breakpoint 1 at");
  await pdb.type("continue\n");
  await pdb.shows("-> return sum");
  await pdb.type("p prices\n");
  await pdb.shows("\\[1, 2, 3\\]");
  await pdb.type("prices.append(94)\n");
  await pdb.type("p sum(prices)\n");
  const screen = await pdb.screenWith("\n100\n(Pdb)");
  await pdb.type("continue\n");
  await pdb.shows("The program finished");
  await pdb.type("quit\n");

  await expectGolden("pdb", screen.replaceAll(cwd, "CWD"));
  expect(await pdb.exitCode()).toBe(0);
  expect(read(cwd, "total.txt")).toBe("100");
});

const PRICES = [
  "def total(prices):",
  "    return sum(prices)",
  "",
  "with open('total.txt', 'w') as file:",
  "    file.write(str(total([1, 2, 3])))",
  "",
];

test("a directory is made and a file is copied into it in mc", async () => {
  const { home, cwd } = freshHome();
  const settings = join(home, ".config/mc");
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, "ini"), "[Layout]\nmessage_visible=false\nfree_space=false\ncommand_prompt=false\n");
  writeFileSync(join(cwd, "shell.txt"), "a shell\n");
  const mc = await drive("mc --nosubshell", { cwd, env: { MC_TMPDIR: home } });
  await mc.shows("shell\\.txt");

  await mc.press("F7");
  await mc.shows("Create a new Directory");
  await mc.type("beach", "Enter");
  await mc.shows("/beach");
  await mc.press("Down");
  await mc.screenWith("⟦shell.txt");
  await mc.press("F5");
  await mc.shows("to:");
  await mc.type("beach/");
  await expectGolden("mc", withoutTimes(await mc.screenWith("beach/", "Cancel")));
  await mc.press("Enter");
  await mc.screenWith("⟦shell.txt");
  await mc.press("F10");

  expect(await mc.exitCode()).toBe(0);
  expect(read(cwd, "beach/shell.txt")).toBe("a shell\n");
});

/** The dialog leaves only the time of each date uncovered. */
function withoutTimes(screen: string): string {
  return screen.replace(/\d\d:\d\d/g, "HH:MM");
}
