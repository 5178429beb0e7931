/** The security headers of every answer. Pure. */

/** Scripts and styles only from files of this server, nothing from anywhere else, and no page may frame this one. */
const PAGE_POLICY = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** What is not a page, such as a picture: if it is opened as one, nothing in it runs. */
const DATA_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

const COMMON: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** `type`: the Content-Type of the answer. */
export function securityHeaders(type: string): Readonly<Record<string, string>> {
  return { ...COMMON, "content-security-policy": type.startsWith("text/html") ? PAGE_POLICY : DATA_POLICY };
}
