import { expect, test } from "vitest";
import { looksSecret } from "./looks-secret.ts";

test.each([
  "GITHUB_TOKEN",
  "NPM_TOKEN",
  "githubtoken",
  "PGPASSWORD",
  "MYSQL_PWD_PASSWORD",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_ACCESS_KEY_ID",
  "OPENAI_API_KEY",
  "STRIPE_APIKEY",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "SESSION_COOKIE",
  "BASIC_AUTH",
  "SENTRY_DSN",
  "TOKEN",
  "KEY",
])("%s is withheld", (name) => {
  expect(looksSecret(name, "x")).toBe(true);
});

test.each([
  "PATH",
  "HOME",
  "KEYBOARD_LAYOUT",
  "MONKEY",
  "AUTHOR",
  "TOKENIZERS_PARALLELISM",
  "SSH_AUTH_SOCK",
  "KUBECONFIG",
  "AWS_PROFILE",
  "DOCKER_HOST",
  "NODE_ENV",
  "PYTHONPATH",
  "COMPASS",
  "PATIENCE",
])("%s is passed on", (name) => {
  expect(looksSecret(name, "x")).toBe(false);
});

test("an address is withheld if it has a password", () => {
  expect(looksSecret("DATABASE_URL", "postgres://me:hush@localhost/app")).toBe(true);
  expect(looksSecret("DATABASE_URL", "postgres://me@localhost/app")).toBe(false);
  expect(looksSecret("DATABASE_URL", "postgres://localhost:5432/a@b")).toBe(false);
});

test("a proxy is passed on with its password, because programs need it", () => {
  expect(looksSecret("HTTPS_PROXY", "http://me:hush@proxy:8080")).toBe(false);
});
