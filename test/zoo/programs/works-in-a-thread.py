"""One thread reads lines all the time, another works on them: at rest and on the processor."""
import queue
import sys
import threading
import time

lines = queue.Queue()


def work():
    for line in iter(lines.get, None):
        if line == "rose":
            until = time.monotonic() + 0.8
            while time.monotonic() < until:
                sum(range(1000))
        else:
            time.sleep(0.2)
        print("got", line, flush=True)
        print("> ", end="", flush=True)


threading.Thread(target=work, daemon=True).start()
print("> ", end="", flush=True)
for line in sys.stdin:
    lines.put(line.strip())
