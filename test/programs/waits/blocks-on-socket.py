"""Waits for bytes on a socket that never come, then on both a socket and a pipe."""
import select
import socket
import sys

here, there = socket.socketpair()
print("blocked", flush=True)
if sys.argv[1] == "read":
    here.recv(1)
else:
    select.select([here, there], [], [])
