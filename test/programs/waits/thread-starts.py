"""A side thread starts the program that reads the terminal: the kernel lists it as a child of that thread."""
import subprocess
import threading

thread = threading.Thread(target=lambda: subprocess.run(["cat"], check=True))
thread.start()
thread.join()
