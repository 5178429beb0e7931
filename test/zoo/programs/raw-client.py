"""Connects a terminal in raw mode with a socket, as remote shells do."""
import os
import select
import socket
import sys
import termios
import tty

far = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
before = termios.tcgetattr(0)
tty.setraw(0)
line = b""
try:
    while True:
        for ready in select.select([0, far], [], [])[0]:
            if ready == 0:
                keys = os.read(0, 100)
                os.write(1, keys.replace(b"\r", b"\r\n"))
                line += keys
                if line.endswith(b"\r"):
                    far.sendall(line)
                    line = b""
            else:
                got = far.recv(4096)
                if not got:
                    sys.exit()
                os.write(1, got)
finally:
    termios.tcsetattr(0, termios.TCSADRAIN, before)
