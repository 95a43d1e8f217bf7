"""Starts one command and writes down its time on the wall and on the CPU, its peak memory and how it ended.

    python3 -I -S measure.py RESULT TIMEOUT COMMAND...

A process of its own because ru_maxrss is inherited: a command started by a process that holds a gigabyte would seem to
need a gigabyte. This one holds some 10 MB, which is the least that can be measured. For the same reason it imports
next to nothing.
"""
import os
import signal
import sys
import time


def main() -> None:
    result, timeout, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    started = time.perf_counter()
    # A group of its own, so that what the command starts ends with it.
    child = os.posix_spawnp(command[0], command, os.environ, setpgroup=0)

    def end(*_: object) -> None:
        os.killpg(child, signal.SIGKILL)

    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    signal.alarm(timeout)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - started
    cpu = usage.ru_utime + usage.ru_stime
    peak_mb = usage.ru_maxrss * 1024 / 1e6
    code = os.waitstatus_to_exitcode(status)
    with open(result, "w", encoding="ascii") as file:
        file.write(f'{{"seconds": {seconds!r}, "cpu_s": {cpu!r}, "peak_mb": {peak_mb!r}, "code": {code}}}\n')


if __name__ == "__main__":
    main()
