/** The content of a credentials file, in the format of NATS. Pure. */
export function credsText(token: string, seed: string): string {
  return [
    "-----BEGIN NATS USER JWT-----",
    token,
    "------END NATS USER JWT------",
    "",
    "************************* IMPORTANT *************************",
    "Whoever has this file can connect to the fleet. Keep it secret.",
    "",
    "-----BEGIN USER NKEY SEED-----",
    seed,
    "------END USER NKEY SEED------",
    "",
  ].join("\n");
}
