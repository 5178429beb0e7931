/** ssh asks for something: a person answers at a terminal or in a session, and the call goes on. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connectHost } from "../../../src/host/client/connect-host.ts";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { connectPlace } from "../../../src/places/connect-place.ts";
import { placeOf } from "../../../src/places/place-address.ts";
import type { SessionSummary } from "../../../src/service/listing/session-summary.ts";
import { MAIN } from "../../support/mcp.ts";
import { needs } from "../../support/needs.ts";
import { LINK_MS } from "../../support/places/place.ts";
import { type SshPlace, type SshPlaceOptions, sshPlace } from "../../support/places/ssh-place.ts";
import { errorOf, outputHas, until } from "../../support/sessions.ts";
import { open, temporaryDirectory } from "../../support/watching.ts";

const PATIENCE_MS = 180_000;
const PASSWORD = "correct horse";
/** Of `PASSWORD`. */
const SHADOW =
  "root:$6$limpettest$MIaxBCdzWR4.uODQbdMiLFNjsZBOLWqOx0FZHnG9WAp69v/4BtOEEsAy3CJXeNbXNbe1inTflS8FtnSPLRXgL0:19000:0:99999:7:::\n";
const PAM = ["auth required pam_unix.so", "account required pam_permit.so", "session required pam_permit.so"];
const here = test.skipIf(!needs("sshd", "ssh-keygen"));
const asRoot = test.skipIf(!needs("sshd", "ssh-keygen", "root"));

/** Words before sshd that give it other files of /etc, which only it sees. */
function withFiles(files: Readonly<Record<string, string>>): readonly string[] {
  const folder = temporaryDirectory();
  const mounts = Object.entries(files).map(([path, content], n) => {
    const copy = join(folder, String(n));
    writeFileSync(copy, content, { mode: 0o600 });
    return `mount --bind ${copy} ${path}`;
  });
  return ["unshare", "-m", "/bin/sh", "-c", `${mounts.join(" && ")} && exec "$@"`, "sh"];
}

const password = (): SshPlaceOptions => ({
  settings: ["PubkeyAuthentication no"],
  program: withFiles({ "/etc/shadow": SHADOW }),
});

const keyboardInteractive = (): SshPlaceOptions => ({
  settings: ["AuthenticationMethods publickey,keyboard-interactive", "KbdInteractiveAuthentication yes", "UsePAM yes"],
  program: withFiles({ "/etc/shadow": SHADOW, "/etc/pam.d/sshd": `${PAM.join("\n")}\n` }),
});

interface Asked {
  readonly local: HostClient;
  readonly far: HostClient;
  /** The session in which ssh asks. */
  asking(): Promise<SessionSummary | undefined>;
}

/** Clients of the place and of the host on this machine, where ssh asks. */
function asking(place: SshPlace): Asked {
  const { stateDirectory } = place;
  const local = connectHost({ stateDirectory, reach: "user", command: [process.execPath, MAIN] });
  const far = connectPlace({ place: placeOf(place.setting, {}), stateDirectory, asks: "session" });
  // Starts the host on this machine with the built command line.
  onTestFinished(async () => {
    far.disconnect();
    await local.stopHost().catch(() => false);
    local.disconnect();
  });
  // It ends the host there before, without asking anybody.
  place.client();
  const all = () => local.list({ ended: true, all: true });
  return { local, far, asking: async () => (await all()).find(({ name }) => name === "ssh ssh:zoo") };
}

/** A list would not make ssh ask in a session. */
async function act(far: HostClient): Promise<string | undefined> {
  const run = { command: "echo out", shell: "main", fresh: { shell: "/bin/sh" } };
  return (await far.turn({ caller: "test", on: { kind: "run", run } })).command?.output;
}

const rows = { "a password": password, "a second factor after a key": keyboardInteractive };

asRoot.each(Object.entries(rows))(
  "%s is asked for in a session, agents cannot type it, and after the answer the call goes on",
  async (_what, options) => {
    const { local, far, asking: find } = asking(await sshPlace(options()));
    await local.list({ ended: false });

    const answering = act(far);
    answering.catch(() => undefined);
    await until(async () => (await find())?.waitingFor === "password", "ssh asks for a password", LINK_MS);
    const session = (await find()) as SessionSummary;
    const typed = await errorOf(local.write(session.id, "guess\n"));
    const prompt = await local.passwordPrompt(session.id);
    await local.answerPrompt(session.id, { token: prompt?.token ?? "", value: PASSWORD });

    expect(await answering).toBe("out\n");
    expect(typed.code).toBe("SESSION_HELD");
    expect((await find())?.exit).toBeNull();
  },
  PATIENCE_MS,
);

here(
  "without an answer the call says where ssh asks, and the next one finds it there",
  { timeout: PATIENCE_MS },
  async () => {
    const place = await sshPlace({ hostKeys: "ask" });
    const { local, far, asking: find } = asking(place);
    await local.list({ ended: false });

    const look = await errorOf(far.list({ ended: false }));
    const before = await find();
    const error = await errorOf(act(far));
    await until(async () => (await find())?.waitingFor === "line", "ssh asks for the host key", LINK_MS);
    const session = (await find()) as SessionSummary;
    await local.write(session.id, "yes\n", { by: "person" });
    const answer = await act(far);

    expect([error.code, error.message]).toEqual(["PLACE_ASKS", expect.stringContaining(`limpet attach ${session.id}`)]);
    expect(session.lastLine).toContain("continue connecting");
    expect([look.code, before]).toEqual(["PLACE_UNREACHABLE", undefined]);
    expect(answer).toBe("out\n");
    expect(readFileSync(join(place.home, "../known"), "utf8")).toContain("ssh-ed25519");
  },
);

here("an answer that ssh does not accept ends the call in ssh's own words", { timeout: PATIENCE_MS }, async () => {
  const place = await sshPlace({ hostKeys: "ask" });
  const { local, far, asking: find } = asking(place);
  await local.list({ ended: false });

  const refused = errorOf(act(far));
  await until(async () => (await find())?.waitingFor === "line", "ssh asks for the host key", LINK_MS);
  await local.write((await find())?.id ?? 0, "no\n", { by: "person" });
  const error = await refused;

  expect([error.code, error.message]).toEqual([
    "PLACE_UNREACHABLE",
    expect.stringContaining("Host key verification failed"),
  ]);
  expect(existsSync(join(place.home, "../known"))).toBe(false);
});

here("a person at a terminal answers there, and the command runs", { timeout: PATIENCE_MS }, async () => {
  const place = await sshPlace({ hostKeys: "ask" });
  const key = join(place.home, "../user");
  spawnSync("ssh-keygen", ["-q", "-p", "-P", "", "-N", PASSWORD, "-f", key]);
  const config = join(temporaryDirectory(), "limpet");
  const terminal = await open({
    program: "/bin/sh",
    args: ["-c", `${process.execPath} ${MAIN} ls --at zoo; echo ended $?`],
    env: { ...configWith(config, place), LIMPET_HOME: place.stateDirectory, SSH_AUTH_SOCK: "" },
  });
  onTestFinished(
    async () =>
      void (await place
        .client()
        .stopHost()
        .catch(() => false)),
  );

  await outputHas(terminal, "continue connecting", LINK_MS);
  await terminal.write("yes\n");
  await outputHas(terminal, "Enter passphrase", LINK_MS);
  await terminal.write(`${PASSWORD}\n`);

  await outputHas(terminal, "ended 0", LINK_MS);
});

/** A `config.json` in which the place is called zoo. */
function configWith(directory: string, { setting }: SshPlace): Readonly<Record<string, string>> {
  const folder = join(directory, "limpet");
  spawnSync("mkdir", ["-p", folder]);
  writeFileSync(join(folder, "config.json"), JSON.stringify({ places: { zoo: setting } }));
  return { XDG_CONFIG_HOME: directory };
}
