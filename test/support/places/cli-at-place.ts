/** A command line here and a place that its config.json calls `build`. */
import { onTestFinished } from "vitest";
import { type Cli, openCli } from "../cli.ts";
import type { OnEnd } from "../watching.ts";
import type { TestPlace } from "./place.ts";

export interface At {
  readonly cli: Cli;
  readonly place: TestPlace;
  /** Must succeed; gives stdout. */
  limpet(...words: string[]): Promise<string>;
  /** Starts a session that ends with the test, and gives its key. */
  start(...words: string[]): Promise<string>;
}

interface AtOptions {
  /** Added to the setting of the place. */
  readonly more?: Record<string, unknown>;
  /** When its hosts end. Default: with the test. */
  readonly onEnd?: OnEnd;
}

export function openAt(place: TestPlace, { more = {}, onEnd = onTestFinished }: AtOptions = {}): At {
  const cli = openCli();
  onEnd(() => cli[Symbol.asyncDispose]());
  // Stops the host there at the end.
  place.client();
  const places = { build: { ...place.setting, ...more }, dead: { via: ["false"] } };
  cli.configure({ places });
  const start: At["start"] = async (...words) => {
    const key = (await cli.stdout("start", ...words)).trim();
    onTestFinished(async () => void (await cli.limpet(["kill", "--force", key])));
    return key;
  };
  return { cli, place, limpet: cli.stdout, start };
}
