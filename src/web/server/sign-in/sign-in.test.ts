import { expect, test } from "vitest";
import { Attempts } from "./attempts.ts";
import { Grants } from "./grants.ts";
import { passwordOf } from "./password.ts";
import { type SignInOptions, signIn } from "./sign-in.ts";

const now = () => 0;

async function options(password?: string): Promise<SignInOptions> {
  const known = password === undefined ? undefined : await passwordOf(password);
  return { grants: new Grants(now), attempts: new Attempts(now), password: known };
}

const codeOf = (signing: Promise<unknown>) =>
  signing.then(
    () => "in",
    (error) => error.code,
  );

test("a link lets its owner in although others fail", async () => {
  const given = await options();
  const codes = [];
  for (let tries = 0; tries < 12; tries += 1) codes.push(await codeOf(signIn(given, { key: "wrong" }, "a")));
  const { key } = given.grants.issue({ right: "control", session: null });

  expect(codes).toEqual([...Array(10).fill("NOT_SIGNED_IN"), "TOO_MANY_REQUESTS", "TOO_MANY_REQUESTS"]);
  expect(await codeOf(signIn(given, { key }, "a"))).toBe("in");
  expect(await codeOf(signIn(given, { key }, "b"))).toBe("NOT_SIGNED_IN");
});

test("a password lets in until too many were tried, also at once", async () => {
  const given = await options("correct horse battery\n");

  expect(await codeOf(signIn(given, { password: "correct horse battery" }, "a"))).toBe("in");
  const tried = await Promise.all(
    Array.from({ length: 20 }, () => codeOf(signIn(given, { password: "wrong horse battery" }, "a"))),
  );
  expect(tried.filter((code) => code === "NOT_SIGNED_IN")).toHaveLength(9);
  expect(await codeOf(signIn(given, { password: "correct horse battery" }, "a"))).toBe("TOO_MANY_REQUESTS");
});

test("without a password none lets in", async () => {
  expect(await codeOf(signIn(await options(), { password: "" }, "a"))).toBe("NOT_SIGNED_IN");
});

test.each([
  [undefined],
  [null],
  ["key"],
  [["key"]],
  [{}],
  [{ key: 1 }],
  [{ key: ["a"] }],
  [{ key: "a", password: "b" }],
  [{ password: null }],
])("%j is not a way to sign in", async (body) => {
  expect(await codeOf(signIn(await options("correct horse battery"), body, "a"))).toBe("BAD_REQUEST");
});

test.each(["", "short", "x".repeat(300)])("the password %j is refused", async (text) => {
  await expect(passwordOf(text)).rejects.toMatchObject({ code: "BAD_OPTION" });
});
