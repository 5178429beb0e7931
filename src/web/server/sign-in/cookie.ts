/**
 * The cookie of somebody who has signed in. Scripts cannot read it, and browsers do not send it with requests of other
 * sites. Browsers share cookies between the ports of a host, so its name contains the port: otherwise several servers
 * would overwrite each other's cookies. Pure.
 */

export interface CookieRules {
  readonly name: string;
  readonly isSecure: boolean;
}

/** `host`: the Host header of the request. */
export function cookieRules(host: string, scheme: "http" | "https"): CookieRules {
  const port = /:(\d+)$/.exec(host)?.[1] ?? (scheme === "https" ? "443" : "80");
  // With this prefix, browsers refuse a cookie that another host or an insecure page sets. It needs TLS.
  return scheme === "https"
    ? { name: `__Host-limpet-${port}`, isSecure: true }
    : { name: `limpet-${port}`, isSecure: false };
}

/** The value of Set-Cookie. `value` empty: forget it. */
export function setCookie({ name, isSecure }: CookieRules, value: string, forMs: number): string {
  const age = Math.max(0, Math.floor(forMs / 1000));
  return `${name}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
}

/** Undefined if there is none, or more than one: another site may have set a second one. */
export function cookieIn(header: string | undefined, { name }: CookieRules): string | undefined {
  const values = (header ?? "").split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}
