"""Reads single keys, and works after each: at rest and on the processor."""
import os
import sys
import time
import tty

tty.setraw(0)
while True:
    os.write(1, b"press: ")
    key = os.read(0, 1)
    if key == b"b":
        until = time.monotonic() + 0.8
        while time.monotonic() < until:
            sum(range(1000))
    else:
        time.sleep(0.8)
    if key == b"q":
        sys.exit()
    os.write(1, b"did " + key + b"\r\n")
