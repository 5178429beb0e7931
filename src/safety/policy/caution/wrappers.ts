/** Programs that run the program in their arguments. Data. */

export interface WrapperSpec {
  /** Short options without and with a value. */
  readonly flags?: string;
  readonly values?: string;
  /** The same for long options. */
  readonly longFlags?: readonly string[];
  readonly longValues?: readonly string[];
  /** How many arguments come before the program. */
  readonly skip?: number;
  /** `NAME=value` before the program sets variables. */
  readonly assigns?: true;
  /** Adds arguments of its own to the program. */
  readonly appends?: true;
  /** Without a program, it acts on the shell itself, or prints something. */
  readonly isShellBuiltin?: true;
}

/** An option that is not listed here hides the program: limpet then does not know which word it is. */
export const WRAPPERS: Readonly<Record<string, WrapperSpec>> = {
  builtin: { isShellBuiltin: true },
  busybox: {},
  command: { flags: "p", isShellBuiltin: true },
  doas: { flags: "nL", values: "uC" },
  env: {
    flags: "i0v",
    values: "uC",
    longFlags: ["ignore-environment", "null", "debug"],
    longValues: ["unset", "chdir"],
    assigns: true,
  },
  exec: { flags: "cl", values: "a", isShellBuiltin: true },
  ionice: { flags: "t", values: "cn", longFlags: ["ignore"], longValues: ["class", "classdata"] },
  nice: { values: "n", longValues: ["adjustment"] },
  nohup: {},
  setsid: { flags: "cfw", longFlags: ["ctty", "fork", "wait"] },
  stdbuf: { values: "ioe", longValues: ["input", "output", "error"] },
  sudo: {
    flags: "AbEHnPSB",
    values: "CDghpRrTtUu",
    longFlags: ["askpass", "background", "non-interactive", "preserve-env", "set-home", "stdin"],
    longValues: ["chdir", "group", "host", "prompt", "user"],
    assigns: true,
  },
  taskset: { flags: "ac", longFlags: ["all-tasks", "cpu-list"], skip: 1 },
  time: { flags: "pvaq", values: "fo", longFlags: ["portability", "verbose"], longValues: ["format", "output"] },
  timeout: {
    flags: "vpf",
    values: "ks",
    longFlags: ["foreground", "preserve-status", "verbose"],
    longValues: ["kill-after", "signal"],
    skip: 1,
  },
  toybox: {},
  xargs: {
    flags: "0rtxo",
    values: "PnLdEas",
    longFlags: ["null", "no-run-if-empty", "verbose", "exit", "open-tty"],
    longValues: ["max-args", "max-procs", "delimiter", "arg-file", "max-chars"],
    appends: true,
  },
};

/** Programs that run others in ways that limpet does not read: a string for a shell, a script, other options. */
export const OPAQUE_WRAPPERS: ReadonlySet<string> = new Set(
  `at batch bwrap capsh catchsegv chpst chroot chrt coproc crontab daemonize dbus-run-session entr eatmydata expect faketime
   fakeroot firejail flatpak flock gdbserver ld.so linux32 linux64 ltrace machinectl newgrp nsenter numactl parallel perf
   pkexec prlimit proot proxychains proxychains4 rlwrap run-one run-parts runcon runuser screen script setarch setpriv
   setuidgid sg softlimit ssh-agent start-stop-daemon strace su supervise systemd-inhibit systemd-run tini tmux torsocks
   trickle tsocks unbuffer unshare valgrind watch xterm xvfb-run zellij`.split(/\s+/),
);

/** The dynamic loader runs the program that it is given. */
export const LOADER: RegExp = /^ld-(?:linux|musl).*\.so/;

export const SHELLS: ReadonlySet<string> = new Set(
  "ash bash csh dash fish ksh mksh nu pwsh rbash rksh sh tcsh yash zsh".split(" "),
);

/** Programs that run code of a file, of their arguments, of their input, or of the project. A version may follow. */
const INTERPRETERS: ReadonlySet<string> = new Set(
  `R Rscript ansible ansible-playbook ant apt apt-get asdf bazel bmake brew bun bundle bunx cabal cargo clisp
   cmake composer corepack deno direnv dotnet dpkg ed elixir emacs emacsclient erl ex ftp fzf gdb gem ghci
   gmake go gradle gradlew groovy guile guix hatch iex ipython irb java joe jrunscript jshell julia just
   kotlin lefthook lldb lua luajit m4 make mariadb mc mcedit meson mise mix mongosh mvn mysql nano nc ncat
   netcat ninja nix nix-shell nnn node nodejs nox npm npx nvim ocaml osascript pdm perl php pico pip pipx
   pnpm pnpx poetry pre-commit psql pypy pytest python racket rake ranger rebar red redis-cli rpm ruby
   runghc rvim sbcl scala socat sqlite stack swift task tclsh telnet terraform tox ts-node tsx uv uvx vi
   view vim vimdiff wish yarn`.split(/\s+/),
);

export function isInterpreter(program: string): boolean {
  return INTERPRETERS.has(program) || INTERPRETERS.has(program.replace(/-?\d[\d.]*$/, ""));
}

/** Programs that run commands on another machine or in a container. */
export const REMOTES: ReadonlySet<string> = new Set(
  "ssh mosh rsh rlogin docker podman nerdctl lxc kubectl oc vagrant".split(" "),
);
