/** A database of its own, which only the user postgres may run. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answers, serve } from "../../support/serve.mjs";

export async function openPostgres(folder) {
  const version = readdirSync("/usr/lib/postgresql").sort().at(-1);
  const bin = join("/usr/lib/postgresql", version, "bin");
  const user = Number(execFileSync("id", ["-u", "postgres"]));
  // Outside of the run's folder, which other users may not enter.
  const home = mkdtempSync(join(tmpdir(), "limpet-zoo-pg-"));
  chownSync(home, user, user);
  chmodSync(home, 0o755);
  const as = ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups"];
  const data = join(home, "data");
  execFileSync(as[0], [...as.slice(1), join(bin, "initdb"), "-U", "zoo", "-A", "trust", "-N", data], {
    cwd: home,
    stdio: "ignore",
  });
  const server = await serve([...as, join(bin, "postgres"), "-D", data, "-k", home, "-c", "listen_addresses="], {
    folder,
    isReady: () => answers({ path: join(home, ".s.PGSQL.5432") }),
  });
  const close = async () => {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  };
  return { env: { PG_SOCKET: home, PSQL_HISTORY: "/dev/null" }, close };
}
