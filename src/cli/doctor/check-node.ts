import type { Finding } from "./finding.ts";

/** Pure. The range is the one that package.json states. */
export function checkNode(version: string, platform: string): Finding {
  const check = "node";
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const what = `Node ${version} on ${platform}`;
  if (platform !== "linux") {
    return { check, verdict: "fail", what, meaning: "limpet needs Linux. Run it on Linux or in a Linux container." };
  }
  const isSupported = (major === 20 && minor >= 15) || (major === 22 && minor >= 2) || major > 22;
  return isSupported
    ? { check, verdict: "ok", what, meaning: "This version is supported." }
    : {
        check,
        verdict: "fail",
        what,
        meaning: "limpet needs Node 20.15 or later (20.x), or 22.2 or later. Install one of them.",
      };
}
