/**
 * Removes the echo of the input from the beginning of a reply. Pure. A terminal echoes input, so the reply to "6 * 7\n"
 * begins with that line.
 */
export function withoutEcho(reply: string, typed: string): string {
  const echo = typed.replaceAll(/\r\n?/g, "\n");
  // Control characters are echoed in another form, so the reply does not start with them.
  if (echo.trim() === "" || !reply.startsWith(echo)) return reply;
  return reply.slice(echo.length);
}
