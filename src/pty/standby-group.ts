/**
 * Keeps this process in the group of the next program, so that the program can start there at once.
 *
 * Where libc cannot start a program in another group, this process has to be in the group itself, and the kernel takes
 * 10 ms and more for a move after a pause. On standby the move is made in advance and off the event loop: right after a
 * start, this process moves on to the group of the program after that.
 *
 * Only for a process that starts nothing but sessions, such as a host: any other program that it starts would run in
 * that group at first.
 */
import { closeSync, write } from "node:fs";
import { type Cgroup, ownGroupPath } from "../linux/cgroup.ts";
import {
  countUse,
  enter,
  enterHome,
  giveUpGroups,
  hasGroupRoot,
  keepGroupRoot,
  onRemovingGroups,
  type PreparedGroup,
  prepareGroup,
} from "./group-root.ts";

let isOn = false;
/** The group that this process is in, for the next program. */
let here: PreparedGroup | undefined;
/** Set while this process moves to the next group. */
let moving: Promise<void> | undefined;

/** Stays on standby until this process ends. */
export function standBy(): void {
  if (isOn || !hasGroupRoot()) return;
  isOn = true;
  keepGroupRoot();
  onRemovingGroups(() => {
    isOn = false;
    here = undefined;
    enterHome();
  });
  moveOn();
}

/**
 * The move of this process to the next group, while it is under way. Ask again after it, in the same event loop turn as
 * the start: of several starts that wait for one move, the first causes the next move.
 */
export function moveUnderWay(): Promise<void> | undefined {
  return moving;
}

/**
 * The group that this process is in, for a program that the caller starts in this event loop turn. Call `moveOn` after
 * it. Undefined without standby.
 */
export function takeStandby(): Cgroup | undefined {
  if (!here) return undefined;
  const { group, entry } = here;
  here = undefined;
  // Before a group is killed, this process is moved out of it, which may have undone the move to this group.
  const isInside = ownGroupPath() === group.path || enter(entry);
  closeSync(entry);
  if (isInside) return group;
  abandon(group);
  return undefined;
}

/** Moves this process to the group of the next program. */
export function moveOn(): void {
  if (!isOn) return;
  const next = prepareGroup("members");
  if (!next) {
    stop();
    return;
  }
  moving = new Promise((resolve) => {
    write(next.entry, String(process.pid), (error) => {
      moving = undefined;
      if (error || !isOn) {
        closeSync(next.entry);
        abandon(next.group);
      } else here = next;
      resolve();
    });
  });
}

function abandon(group: Cgroup): void {
  stop();
  countUse();
  void group.remove();
}

/** Ends standby. The next start enters its group by itself. */
function stop(): void {
  isOn = false;
  if (!enterHome()) giveUpGroups();
}
