/**
 * Whether a container runs on the kernel of this machine. In that case both have the same boot id. gVisor has no boot
 * id, and a virtual machine has another one, even if its engine has a Unix socket on this machine.
 */
import { readKernelFile } from "../../linux/proc-file.ts";

const BOOT_ID = "/proc/sys/kernel/random/boot_id";

/** Prints the boot id, or an empty line if there is none. For any POSIX shell. */
export const ASK_KERNEL: string = `boot=; read -r boot <${BOOT_ID}; echo "$boot"`;

/** `printed`: undefined if the container has no shell to ask. The result is then true. */
export function isOwnKernel(printed: string | undefined): boolean {
  return printed === undefined || printed.trim() === readKernelFile(BOOT_ID)?.trim();
}
