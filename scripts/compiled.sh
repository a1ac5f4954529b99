#!/bin/sh
# Runs `bulge` with its inner modules compiled to C: `sh scripts/compiled.sh sim the_bulge …` plays the same games by seed as
# `bulge sim the_bulge …`, in less time. Compiling takes some minutes and a C compiler, the first time and after each
# change of the source.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/environment.sh"
need_environment test
folder="$root/build/compiled"
compiled() { "$root/.venv/bin/python" "$root/scripts/compiled.py" "$1" "$folder"; }
if ! compiled is-made; then
    echo "Compiling, for some minutes ..." >&2
    mkdir -p "$root/build"
    compiled make >"$folder.log" 2>&1 || {
        tail -n 20 "$folder.log" >&2
        echo "bulge could not be compiled (see above, and all of it in build/compiled.log)." >&2
        echo "It needs a C compiler and the headers of Python; on Debian: apt install gcc python3-dev" >&2
        exit 1
    }
fi
PYTHONPATH="$folder" exec "$root/.venv/bin/bulge" "$@"
