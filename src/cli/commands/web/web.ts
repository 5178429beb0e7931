import { hostname } from "node:os";
import { requireMetricsAddress } from "../../../base/format/metrics-address.ts";
import { HOST_STOP_MS } from "../../../base/limits.ts";
import { LimpetError } from "../../../base/limpet-error.ts";
import { keyOf } from "../../../service/listing/session-key.ts";
import type { ControlAnswers, ControlRequest, NewLink, WebStatus } from "../../../web/process/control-protocol.ts";
import type { Args, Command } from "../../args/command.ts";
import { jsonArg } from "../../args/common-args.ts";
import { isOn, requiredText, textOf } from "../../args/read-args.ts";
import { FAILED, OK } from "../../exit-codes.ts";
import { askedFleet, fleetArgs, fleetFlags } from "../../fleet/nats-args.ts";
import { isPerson, print, printError, printJson } from "../../print/print.ts";
import { requirePerson } from "../../require-outside-session.ts";
import { fleetEnv } from "../../settings/fleet-setting.ts";
import { stateDirectory } from "../../settings/settings.ts";
import { describeForward, describeGrants, describeWeb } from "../../web/describe-web.ts";
import { lifetimeOf } from "../../web/lifetime-of.ts";
import { whereArgs, whereFlags, whereOf } from "../../web/where-of.ts";
import { withHost } from "../../with-host.ts";

const ACTIONS = ["open", "status", "stop", "share", "shares", "revoke", "run"] as const;
const MAX_SHARE_DAYS = 30;

export const web: Command = {
  name: "web",
  description:
    "Watch and control all sessions in a browser. Starts the web server of this user if none runs, and prints a link that works once.",
  args: {
    action: {
      type: "positional",
      isOptional: true,
      choices: ACTIONS,
      description: `One of ${ACTIONS.join(", ")}. Default: print a link`,
    },
    id: {
      type: "positional",
      isOptional: true,
      hint: "ID",
      description: "With share: the session. With revoke: a number of limpet web shares",
    },
    open: { type: "boolean", description: "Open the link in your browser" },
    qr: { type: "boolean", description: "Also draw the link as a QR code" },
    view: { type: "boolean", description: "With share: the visitor can only watch. This is the default" },
    control: { type: "boolean", description: "With share: the visitor can also type" },
    for: { type: "string", hint: "TIME", description: "With share: how long, such as 30m or 2d. Default: 1h" },
    ...fleetArgs,
    ...whereArgs,
    metrics: {
      type: "string",
      hint: "[ADDRESS:]PORT",
      description: "Serve metrics for Prometheus at http://ADDRESS:PORT/metrics. Default: off",
    },
    ...jsonArg(),
    state: { type: "string", hint: "DIR", isHidden: true, description: "Started by limpet web: the host's directory" },
    detached: { type: "boolean", isHidden: true, description: "Started by limpet web, in the background" },
  },
  examples: [
    "limpet web",
    "limpet web --open",
    "limpet web share 7 --view --for 1h   # a link for somebody else, to one session",
    "limpet web shares",
    "limpet web revoke 3",
    "limpet web --socket /tmp/limpet-web.sock   # then, elsewhere: ssh -L 8573:/tmp/limpet-web.sock this-machine",
    "limpet web --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem --password-file password",
    "limpet web run --port 8573   # in the foreground, until it is interrupted",
    "limpet web --fleet   # the sessions of all hosts of the fleet",
    "limpet web stop",
  ],
  async run(args) {
    const directory = stateDirectory({ state: textOf(args, "state") });
    const action = textOf(args, "action") ?? "open";
    if (action === "run") return await runHere(args, directory);
    if (action === "status") return await status(args, directory);
    await requirePerson("limpet web");
    switch (action) {
      case "open":
        return await openLink(args, directory);
      case "stop":
        return await stop(args, directory);
      case "share":
        return await share(args, directory);
      case "shares":
        return await shares(args, directory);
      case "revoke":
        return await revoke(args, directory);
      default:
        throw new LimpetError(
          "BAD_OPTION",
          `limpet web has no action ${JSON.stringify(action)}. Use one of: ${ACTIONS.join(", ")}.`,
        );
    }
  },
};

async function openLink(args: Args, directory: string): Promise<number> {
  const found = await start(args, directory);
  const link = await ask(directory, { method: "link", hasPage: isOn(args, "open") });
  if (isOn(args, "json")) {
    printJson({ link: link.link, expiresMs: link.grant.expiresMs, ...found });
    return OK;
  }
  await show(args, link, found);
  if (isPerson()) printError("It works once, within 10 minutes. To end the server: limpet web stop");
  if (link.page === null) return OK;
  const { openBrowser } = await import("../../web/open-browser.ts");
  if (await openBrowser(link.page)) return OK;
  printError("xdg-open is not installed, so no browser was opened. Open the link yourself.");
  return FAILED;
}

/** The server that runs, or a new one. */
async function start(args: Args, directory: string): Promise<WebStatus> {
  const [{ findOrStartWeb }, { ownCommand }] = await Promise.all([
    import("../../../web/process/find-or-start-web.ts"),
    import("../../../host/client/connect-host.ts"),
  ]);
  // Reports a mistake before anything is started.
  whereOf(args);
  const metrics = textOf(args, "metrics");
  if (metrics !== undefined) requireMetricsAddress(metrics);
  const fleet = askedFleet(args);
  const placing = [...whereFlags(args), ...(metrics === undefined ? [] : [`--metrics=${metrics}`])];
  const flags = [...placing, ...fleetFlags(args)];
  const env = fleet === undefined ? {} : fleetEnv();
  const { status, wasRunning } = await findOrStartWeb({ stateDirectory: directory, command: ownCommand(), flags, env });
  if (wasRunning && placing.length > 0)
    throw new LimpetError(
      "WEB_RUNNING",
      `The web server already listens on ${status.socket ?? status.base}. To move it, end it first with: limpet web stop`,
    );
  if (wasRunning && fleet !== undefined && fleet !== status.fleet) {
    const shown = status.fleet === null ? "this machine and its places" : `the fleet at ${status.fleet}`;
    throw new LimpetError(
      "WEB_RUNNING",
      `The web server that runs shows ${shown}. To show the fleet at ${fleet}, end it first with: limpet web stop`,
    );
  }
  return status;
}

async function show(args: Args, { link }: NewLink, { socket, base }: WebStatus): Promise<void> {
  if (socket !== null) printError(describeForward(socket, base, hostname()));
  print(link);
  if (!isOn(args, "qr")) return;
  const { qrCode } = await import("../../web/qr-code.ts");
  print(qrCode(link));
}

async function share(args: Args, directory: string): Promise<number> {
  const id = requiredText(args, "id");
  if (id === "") throw new LimpetError("BAD_OPTION", "share needs a session. Use: limpet web share ID --view");
  if (isOn(args, "view") && isOn(args, "control"))
    throw new LimpetError("BAD_OPTION", "--view and --control cannot be combined. Give one of them.");
  const forMs = lifetimeOf(args, { otherwise: "1h", maxDays: MAX_SHARE_DAYS });
  const session = await withHost(args, async (sessions) => String(keyOf(await sessions.find(id))));
  const found = await start(args, directory);
  const right = isOn(args, "control") ? "control" : "view";
  const link = await ask(directory, { method: "share", session, right, forMs });
  if (isOn(args, "json")) printJson({ link: link.link, ...link.grant });
  else {
    await show(args, link, found);
    if (isPerson()) printError(`It works once. To end it: limpet web revoke ${link.grant.id}`);
  }
  return OK;
}

async function shares(args: Args, directory: string): Promise<number> {
  const grants = await ask(directory, { method: "shares" });
  if (isOn(args, "json")) printJson(grants);
  else print(describeGrants(grants, Date.now()));
  return OK;
}

async function revoke(args: Args, directory: string): Promise<number> {
  const id = requiredText(args, "id");
  if (!(await ask(directory, { method: "revoke", id })))
    throw new LimpetError("NOT_FOUND", `Unknown share ${JSON.stringify(id)}. See limpet web shares.`);
  if (isOn(args, "json")) printJson({ id, revoked: true });
  else print(`Revoked ${id}. Its pages are closed.`);
  return OK;
}

async function status(args: Args, directory: string): Promise<number> {
  const { askWeb } = await import("../../../web/process/ask-web.ts");
  const found = await askWeb(directory, { method: "status" });
  if (isOn(args, "json")) printJson(found ?? null);
  else print(found ? describeWeb(found, Date.now()) : "No web server is running. Start it with: limpet web");
  return found ? OK : FAILED;
}

async function stop(args: Args, directory: string): Promise<number> {
  const [{ askWeb }, { untilEnded }] = await Promise.all([
    import("../../../web/process/ask-web.ts"),
    import("../../../web/process/until-ended.ts"),
  ]);
  const wasRunning = (await askWeb(directory, { method: "stop" })) === true;
  if (wasRunning) await untilEnded(directory);
  if (isOn(args, "json")) printJson({ wasRunning });
  else print(wasRunning ? "Stopped the web server. The sessions continue." : "No web server is running.");
  return OK;
}

/** Rejects with `WEB_NOT_RUNNING`. */
async function ask<R extends ControlRequest>(directory: string, request: R): Promise<ControlAnswers[R["method"]]> {
  const { askWeb } = await import("../../../web/process/ask-web.ts");
  const answer = await askWeb(directory, request);
  if (answer !== undefined) return answer;
  throw new LimpetError("WEB_NOT_RUNNING", "No web server is running. Start it with: limpet web");
}

async function runHere(args: Args, directory: string): Promise<number> {
  const { runInForeground } = await import("../../web/run-in-foreground.ts");
  return await runInForeground(args, { directory, lockPatienceMs: isOn(args, "detached") ? 2 * HOST_STOP_MS : 0 });
}
