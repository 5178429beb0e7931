"""Puts the terminal into raw mode and then only sleeps: it waits for nothing."""
import time
import tty

tty.setraw(0)
print("raw", end="\r\n", flush=True)
time.sleep(60)
