/**
 * A reply without the echo of what was typed, if it begins with that. Pure. A terminal shows what is typed, so the reply to
 * "6 * 7\n" begins with that line.
 */
export function withoutEcho(reply: string, typed: string): string {
  const echo = typed.replaceAll(/\r\n?/g, "\n");
  // Control characters are not shown as they are typed; a reader would miss nothing by keeping them.
  if (echo.trim() === "" || !reply.startsWith(echo)) return reply;
  return reply.slice(echo.length);
}
