import { LimpetError } from "../../../base/limpet-error.ts";
import { keyOf } from "../../../service/listing/session-key.ts";
import type { Args, Command } from "../../args/command.ts";
import { atArg, jsonArg, sessionArg } from "../../args/common-args.ts";
import { isOn, requiredText } from "../../args/read-args.ts";
import { askHidden } from "../../print/ask-hidden.ts";
import { describeName } from "../../print/describe-session.ts";
import { print, printJson } from "../../print/print.ts";
import { visible } from "../../print/visible.ts";
import { requirePerson } from "../../require-outside-session.ts";
import { stateDirectory } from "../../settings/settings.ts";
import { withHost } from "../../with-host.ts";

export const answer: Command = {
  name: "answer",
  description:
    "Answer the password prompt of a session, without showing what you type. Agents never see it, and it is masked in all output.",
  args: {
    ...sessionArg,
    link: {
      type: "boolean",
      description: "Print a link to a page with one box for this prompt instead. It works once, within 10 minutes",
    },
    ...jsonArg(),
    ...atArg,
  },
  examples: [
    "limpet answer 7",
    "limpet answer build/7",
    "pass show sudo | limpet answer deploy",
    "limpet answer 7 --link   # for a browser, such as that of your phone",
  ],
  async run(args) {
    await requirePerson("limpet answer");
    await withHost(args, async (sessions) => {
      const prompt = await sessions.passwordPrompt(requiredText(args, "id"));
      if (!prompt) {
        const key = keyOf(await sessions.find(requiredText(args, "id")));
        throw new LimpetError(
          "PROMPT_CHANGED",
          `Session ${key} is not waiting for a password. See what it shows with: limpet screen ${key}`,
        );
      }
      const { id, token } = prompt;
      if (isOn(args, "link")) {
        await printLink(args, { session: String(keyOf(prompt)), token });
        return;
      }
      const asks = prompt.program === null ? "" : `, ${visible(prompt.program)}`;
      const value = await askHidden(`Password for session ${describeName(prompt)}${asks}: `);
      await sessions.answerPrompt(id, { token, value });
      if (isOn(args, "json")) printJson({ id, answered: true });
      else print(`Answered the prompt of session ${describeName(prompt)}.`);
    });
  },
};

/** The prompt is checked again when the answer arrives. */
async function printLink(args: Args, prompt: { readonly session: string; readonly token: string }): Promise<void> {
  const [{ askWeb }, { findOrStartWeb }, { ownCommand }] = await Promise.all([
    import("../../../web/process/ask-web.ts"),
    import("../../../web/process/find-or-start-web.ts"),
    import("../../../host/client/connect-host.ts"),
  ]);
  const directory = stateDirectory();
  await findOrStartWeb({ stateDirectory: directory, command: ownCommand(), flags: [] });
  const made = await askWeb(directory, { method: "prompt", ...prompt });
  if (!made) throw new LimpetError("WEB_NOT_RUNNING", "The web server has ended. Run the command again.");
  if (isOn(args, "json")) printJson({ link: made.link, expiresMs: made.grant.expiresMs });
  else print(made.link);
}
