"""Asks for a password as sudo and su do: on /dev/tty, whatever stdin is, with echo off, and flushes what was typed before."""
import sys
import termios

prompt, wanted = sys.argv[1], sys.argv[2]
with open("/dev/tty", "rb+", buffering=0) as tty:
    before = termios.tcgetattr(tty)
    silent = before[:]
    silent[3] &= ~termios.ECHO
    for _ in range(3):
        termios.tcsetattr(tty, termios.TCSAFLUSH, silent)
        tty.write(prompt.encode())
        answer = tty.readline().decode().rstrip("\n")
        termios.tcsetattr(tty, termios.TCSAFLUSH, before)
        tty.write(b"\n")
        if answer == wanted:
            tty.write(b"granted\n")
            sys.exit(0)
        tty.write(b"Sorry, try again.\n")
sys.exit(1)
