/** `limpet fleet give-up HOST` and `limpet fleet quotas [FILE]`: what only an operator may change. */
import { readFileSync } from "node:fs";
import { LimpetError } from "../../base/limpet-error.ts";
import { giveUpHost } from "../../fleet/door/give-up-host.ts";
import { readQuotas, writeQuotas } from "../../fleet/quotas/stored-quotas.ts";
import { requireFleetName } from "../../fleet/subjects.ts";
import type { Args } from "../args/command.ts";
import { isOn, listOf } from "../args/read-args.ts";
import { OK } from "../exit-codes.ts";
import { print, printJson } from "../print/print.ts";
import { visible } from "../print/visible.ts";
import { withBus } from "./with-bus.ts";

export async function giveUp(args: Args): Promise<number> {
  const [host = "", ...more] = listOf(args, "words");
  if (more.length > 0)
    throw new LimpetError("BAD_OPTION", "limpet fleet give-up needs one host. Use: limpet fleet give-up HOST");
  requireFleetName(host, "The name of the host");
  const epoch = await withBus(args, (bus) => giveUpHost(bus, host));
  if (isOn(args, "json")) printJson({ host, epoch });
  else print(`Gave up ${host} in epoch ${epoch}. Its sessions are lost; limpet fleet journal ${host} lists copies.`);
  return OK;
}

export async function quotas(args: Args): Promise<number> {
  const [file, ...more] = listOf(args, "words");
  if (more.length > 0)
    throw new LimpetError("BAD_OPTION", "limpet fleet quotas needs one file. Use: limpet fleet quotas FILE");
  const document = file === undefined ? undefined : textIn(file);
  if (document !== undefined) {
    await withBus(args, (bus) => writeQuotas(bus, document));
    print("Wrote the quotas. They apply to the next session that is started.");
    return OK;
  }
  const found = await withBus(args, readQuotas);
  print(found === undefined ? "There are no quotas. Write some with: limpet fleet quotas FILE" : visible(found.trim()));
  return OK;
}

function textIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new LimpetError("BAD_OPTION", `${path} cannot be read (${code}). Give a file with quotas.`, { cause });
  }
}
