#!/bin/sh
# Runs `bulge` with its inner modules compiled to C: `sh scripts/compiled.sh sim the_bulge …` plays the same games by seed as
# `bulge sim the_bulge …`, in less time. Compiling takes some minutes and a C compiler, the first time and after each
# change of the source.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/environment.sh"
need_environment test
"$root/.venv/bin/python" "$root/scripts/compiled.py" "$root/build/compiled" || {
    echo "bulge could not be compiled (see above); on Debian: apt install gcc python3-dev" >&2
    exit 1
}
PYTHONPATH="$root/build/compiled" exec "$root/.venv/bin/bulge" "$@"
