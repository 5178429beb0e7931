"""Looks for a key ten times a second (VMIN 0, VTIME 1), and works between its looks."""
import os
import sys
import termios
import time

mode = termios.tcgetattr(0)
mode[3] &= ~(termios.ICANON | termios.ECHO)
mode[6][termios.VMIN] = 0
mode[6][termios.VTIME] = 1
termios.tcsetattr(0, termios.TCSANOW, mode)
os.write(1, b"press> ")
due = None
while True:
    key = os.read(0, 1)
    if key == b"q":
        sys.exit()
    if key:
        os.write(1, b"\r\n")
        due = (time.monotonic() + 1.0, key)
    if due and time.monotonic() > due[0]:
        os.write(1, b"did " + due[1] + b"\r\npress> ")
        due = None
