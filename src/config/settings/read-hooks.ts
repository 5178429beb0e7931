/** The setting `hooks`: commands that the host runs when something happens in a session. */
import { EVENT_KINDS, type EventKind } from "../../service/events/session-event.ts";
import { badSetting, type GivenSetting, isRecord, isText } from "./bad-setting.ts";

export type Hooks = Readonly<Partial<Record<EventKind, string>>>;

export function readHooks(given: GivenSetting): Hooks {
  const known: readonly string[] = EVENT_KINDS;
  const remedy = `Use an object of commands, such as { "waiting": "notify-send limpet" }, for: ${known.join(", ")}.`;
  const { value } = given;
  if (!isRecord(value)) throw badSetting(given, "has a bad value for hooks", remedy);
  for (const [kind, command] of Object.entries(value)) {
    if (!known.includes(kind)) throw badSetting(given, `has an unknown event ${JSON.stringify(kind)} in hooks`, remedy);
    if (!isText(command) || command === "") throw badSetting(given, `has a bad value for hooks.${kind}`, remedy);
  }
  return value as Hooks;
}
