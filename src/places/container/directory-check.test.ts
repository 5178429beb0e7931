import { expect, test } from "vitest";
import { directoryCheck } from "./directory-check.ts";

const CONTAINER = { engine: "docker", name: "pg" } as const;

test("a directory that was there is asked for once, and one that is missing each time", async () => {
  const asked: (string | undefined)[] = [];
  const check = directoryCheck(CONTAINER, async (argv) => {
    asked.push(argv.at(-1));
    return { code: 0, stdout: argv.at(-1) === "/srv" ? "fine\n" : "does not exist\n", stderr: "" };
  });

  await check("/srv");
  await check("/srv");
  const refusals = [check("/gone"), check("/gone")].map((each) => each.catch((error: Error) => error.message));

  const message = 'The working directory "/gone" does not exist. Create it, or pass another one.';
  expect(await Promise.all(refusals)).toEqual([message, message]);
  expect(asked).toEqual(["/srv", "/gone", "/gone"]);
});

test("an engine that does not answer refuses no directory", async () => {
  const check = directoryCheck(CONTAINER, async () => ({ code: 1, stdout: "", stderr: "No such container: pg" }));

  await expect(check("/srv")).resolves.toBeUndefined();
});
