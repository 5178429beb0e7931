/** `limpet` for a file of tests about its web server, which ends with the file. */
import { afterAll } from "vitest";
import { type Cli, openCli } from "../cli.ts";

export interface WebCli {
  readonly cli: Cli;
  /** Where the host and the web server keep their files. */
  readonly state: string;
}

export function webCli(): WebCli {
  const cli = openCli();
  afterAll(async () => {
    await cli.limpet(["web", "stop"]);
    await cli[Symbol.asyncDispose]();
  });
  return { cli, state: cli.env["LIMPET_HOME"] ?? "" };
}
