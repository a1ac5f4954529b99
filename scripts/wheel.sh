#!/bin/sh
# Builds a wheel into dist/ that holds the page and the drawn maps: whoever installs it needs no Node and draws nothing.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/environment.sh"
. "$root/scripts/client.sh"
need_environment play
need_client
"$root/.venv/bin/python" -m bulge.server.ship
"$root/.venv/bin/python" -m pip wheel --quiet --disable-pip-version-check \
    --no-deps --no-build-isolation --wheel-dir "$root/dist" "$root"
ls -l "$root/dist"
