"""Talks as ssh does: /dev/tty in raw mode, each byte handed on as it comes. A q ends it, a Q kills it in that mode."""
import os
import signal
import termios
import tty

fd = os.open("/dev/tty", os.O_RDWR)
before = termios.tcgetattr(fd)
tty.setraw(fd)
os.write(fd, b"connected\r\n")
while (key := os.read(fd, 1)) not in (b"q", b"Q"):
    os.write(fd, b"<%02x>" % key[0])
if key == b"Q":
    os.kill(os.getpid(), signal.SIGKILL)
termios.tcsetattr(fd, termios.TCSADRAIN, before)
os.write(fd, b"\r\nclosed\n")
