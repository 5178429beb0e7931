/**
 * Pure: whether a shell reads the line at its prompt, by the address that it reads into.
 *
 * zsh reads a line byte by byte, each into the place behind the one before. Ctrl+C discards what it has not read yet,
 * and zsh then waits for the rest of a line that never comes.
 */

/** As long as a line in a terminal can be. */
const LINE_BYTES = 4096;
/** Call number, descriptor, address, length; in hexadecimal except for the first. */
const READ = /^(\d+ 0x[0-9a-f]+) (0x[0-9a-f]+) 0x1$/;

/** `promptAddress`: where it reads the first byte of a line. */
export function isOnPromptLine(address: string | undefined, promptAddress: string | undefined): boolean {
  if (address === undefined || promptAddress === undefined) return false;
  if (address === promptAddress) return true;
  const [read, prompt] = [READ.exec(address), READ.exec(promptAddress)];
  if (!read || !prompt || read[1] !== prompt[1]) return false;
  const ahead = BigInt(read[2] ?? 0) - BigInt(prompt[2] ?? 0);
  return ahead > 0n && ahead < LINE_BYTES;
}
