#!/usr/bin/env python3
"""Prints what looks wrong in a CSV file, a finding a line."""

import csv
import sys


def findings(path):
    """Yields (line number, what is wrong)."""
    with open(path, encoding="utf-8-sig", errors="replace", newline="") as file:
        sample = file.read(64 * 1024)
        file.seek(0)
        try:
            dialect = csv.Sniffer().sniff(sample)
        except csv.Error:
            dialect = csv.excel
        rows = csv.reader(file, dialect)
        header = next(rows, None)
        if not header:
            yield 1, "the file is empty"
            return
        seen = {}
        for row in rows:
            if len(row) != len(header):
                yield rows.line_num, f"{len(row)} columns, the header has {len(header)}"
            key = tuple(row)
            if key in seen:
                yield rows.line_num, f"same as line {seen[key]}"
            seen.setdefault(key, rows.line_num)
            if any("\ufffd" in cell for cell in row):
                yield rows.line_num, "a character that is not UTF-8"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: checkup.py FILE")
    for line, what in findings(sys.argv[1]):
        print(f"line {line}: {what}")
