"""Progress, tables and checks."""
import sys
import time

BEGIN = time.monotonic()


def say(*words) -> None:
    """Writes a line of progress to standard error, with the minutes and seconds that have passed."""
    passed = int(time.monotonic() - BEGIN)
    print(f"{passed // 60}:{passed % 60:02}", *words, file=sys.stderr, flush=True)


def table(title: str, head: list, rows: list) -> None:
    """Prints a table. Its last column may be of any width."""
    lines = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(map(len, column)) for column in zip(*lines)]
    print(f"\n{title}")
    for line in lines:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    sys.stdout.flush()


class Checks:
    """What has to hold."""

    def __init__(self):
        self.rows = []

    def holds(self, about: str, wrong, seen="") -> None:
        """Enters a check, which holds if `wrong` is empty, and what was seen."""
        wrong = [str(one) for one in wrong] if not isinstance(wrong, bool) else ["no"] * wrong
        detail = "; ".join(wrong[:5]) + (f"; and {len(wrong) - 5} more" if len(wrong) > 5 else "")
        self.rows.append(("FAILED" if wrong else "ok", about, f"{seen}{': ' if seen and detail else ''}{detail}"))

    def end(self) -> int:
        """Prints all checks; returns the exit status."""
        table("checks", ["", "check", "seen"], self.rows)
        return int(any(row[0] == "FAILED" for row in self.rows))


def quantile(sorted_values: list, share: float) -> float:
    """The value below which this share of the values is; 0 for none."""
    return sorted_values[min(len(sorted_values) - 1, int(share * len(sorted_values)))] if sorted_values else 0.0
