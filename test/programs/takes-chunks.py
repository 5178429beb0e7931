"""Takes what comes in one read for one key, or for a paste. Waits in the call that its argument names."""
import os, select, sys, tty

call = sys.argv[1]
tty.setraw(0)
text, chosen, items = "", 0, ["apple", "banana", "cherry"]
poll = select.poll()
poll.register(0, select.POLLIN)


def wait():
    if call == "select":
        select.select([0], [], [])
    elif call == "poll":
        poll.poll()


os.write(1, b"ready\r\n")
while True:
    wait()
    chunk = os.read(0, 4096).decode()
    if chunk == "\x03":
        break
    if chunk == "\r":
        os.write(1, f'submitted "{text}" {items[chosen]}\r\n'.encode())
        text = ""
    elif chunk == "\x1b[B":
        chosen += 1
    elif chunk == "\x1b[A":
        chosen -= 1
    elif chunk == "\x1b":
        os.write(1, b"escape\r\n")
    else:
        text += chunk.replace("\r", "\\r").replace("\x1b", "\\e")
