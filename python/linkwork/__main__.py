# SPDX-License-Identifier: MIT
"""The program `linkwork` of this package, also as `python3 -m linkwork`."""

import os
import sys

from ._program import find


def main():
    program = find()
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
