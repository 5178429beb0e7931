/** The person's secrets for sessions in this process, which commands of limpet cannot reach. */
import { KnownSecrets } from "../../safety/redaction/known-secrets.ts";
import { Secrets } from "../../service/secrets/secrets.ts";
import { secretSettings } from "./secret-settings.ts";

export { redactedService } from "../../service/redaction/redacted-service.ts";

export function secretsHere(): { readonly known: KnownSecrets; readonly secrets: Secrets } {
  const known = new KnownSecrets();
  return { known, secrets: new Secrets({ ...secretSettings(), known, hasPeople: false }) };
}
