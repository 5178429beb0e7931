/**
 * Whether a container runs on the kernel of this machine: then both have the same boot id. gVisor has none, and a
 * virtual machine has another one, although its engine may be behind a Unix socket of this machine.
 */
import { readKernelFile } from "../../linux/proc-file.ts";

const BOOT_ID = "/proc/sys/kernel/random/boot_id";

/** For any POSIX shell: prints the boot id, or an empty line where there is none. */
export const ASK_KERNEL: string = `boot=; read -r boot <${BOOT_ID}; echo "$boot"`;

/** `printed`: undefined if the container has no shell that could be asked; then it is assumed. */
export function isOwnKernel(printed: string | undefined): boolean {
  return printed === undefined || printed.trim() === readKernelFile(BOOT_ID)?.trim();
}
