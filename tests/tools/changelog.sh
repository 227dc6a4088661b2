#!/bin/sh
# Tests tools/changelog on a small changelog: changelog.sh ROOT
set -eu
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/docs"
cat >"$work/CHANGELOG.md" <<'END'
# Changelog

## [Unreleased]

For people.

### Added

- Python: one,
  on two lines, see [it](docs/python.md) and [robots](robots/README.md).
- `plan --fastest` two.

### Fixed

- Python: three.

## [0.1.0] - 2026-11-15

- Old.
END
cut() { python3 "$root/tools/changelog" --folder "$work" "$@"; }
cut 1.0.0 --date 2026-01-02
cat >"$work/expected" <<'END'
# Changelog

## [Unreleased]

## [1.0.0] - 2026-01-02

For people.

All 3 changes, by area: [docs/changes-1.0.0.md](docs/changes-1.0.0.md).

## [0.1.0] - 2026-11-15

- Old.
END
diff "$work/expected" "$work/CHANGELOG.md"
cat >"$work/expected" <<'END'
# Changes of 1.0.0

2026-01-02. Everything that changed, by area; [the changelog](../CHANGELOG.md) has what matters most on two pages.

## Python

**Added**

- Python: one,
  on two lines, see [it](python.md) and [robots](../robots/README.md).

**Fixed**

- Python: three.

## Motions: plans, fastest motions, inverse kinematics

**Added**

- `plan --fastest` two.
END
diff "$work/expected" "$work/docs/changes-1.0.0.md"
test "$(cut --notes 1.0.0 | sed -n 1p)" = "For people."
! cut 1.0.0 2>"$work/err" && grep -q 'already' "$work/err"
! cut --notes 3.0.0 2>/dev/null
