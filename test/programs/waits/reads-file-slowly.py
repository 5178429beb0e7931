"""Reads a file, a little at a time."""
import sys
import time

print("reading", flush=True)
with open(sys.argv[1], "rb", buffering=0) as file:
    while True:
        if not file.read(1):
            file.seek(0)
        time.sleep(0.01)
