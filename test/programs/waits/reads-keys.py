"""Sets the modes it is given, then prints each read as hexadecimal digits until it gets a q."""
import os, sys, tty

tty.setraw(0)
os.write(1, sys.argv[1].encode().decode("unicode_escape").encode() + b"ready\r\n")
got = b""
while not got.endswith(b"q"):
    got += os.read(0, 4096)
os.write(1, b"got " + got[:-1].hex().encode() + b"\r\n")
