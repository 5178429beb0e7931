/** A reporter for Vitest: writes each failure as one line of JSON, with its place in the test and with its cause. */
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "../run.mjs";

/** A message may hold a whole output. */
const MESSAGE_CHARS = 600;

export default class FailureReporter {
  onTestCaseResult(test) {
    const { state, errors } = test.result();
    if (state === "failed") write(relative(root, test.module.moduleId), test.fullName, errors);
  }

  onTestModuleEnd(module) {
    if (module.errors().length > 0) write(relative(root, module.moduleId), "the file", module.errors());
  }

  onTestRunEnd(_modules, errors) {
    if (errors.length > 0) write("outside of the tests", "the run", errors);
  }
}

function write(path, name, [error]) {
  const line = `${path}${lineIn(error, path)}: ${name}: ${describe(error)}`;
  appendFileSync(String(process.env.LIMPET_FAILURES), `${JSON.stringify(line)}\n`);
}

/** The message, and those of the causes, each without its later lines. */
function describe(error) {
  const causes = [];
  for (let cause = error; cause && causes.length < 5; cause = cause.cause) {
    causes.push(String(cause.message ?? cause).split("\n", 1)[0]);
  }
  return causes.map((message) => cutMiddle(message)).join(" Cause: ");
}

function cutMiddle(text) {
  if (text.length <= MESSAGE_CHARS) return text;
  return `${text.slice(0, MESSAGE_CHARS / 2)} … ${text.slice(-MESSAGE_CHARS / 2)}`;
}

function lineIn(error, path) {
  const frame = error?.stacks?.find(({ file }) => file.endsWith(path));
  return frame ? `:${frame.line}` : "";
}
