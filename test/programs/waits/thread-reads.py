"""A side thread reads the terminal while the main thread works on."""
import sys
import threading
import time

done = threading.Event()


def read():
    print("name?", flush=True)
    print("hello " + sys.stdin.readline().strip(), flush=True)
    done.set()


threading.Thread(target=read).start()
while not done.is_set():
    time.sleep(0.05)
