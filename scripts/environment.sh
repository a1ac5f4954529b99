# Read by ./play and ./test: makes .venv and installs the locked requirements, once for each change of the lock.

python_of_machine() {
    for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
        if command -v "$name" >/dev/null 2>&1 &&
            "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    echo "bulge needs Python 3.11 or later, and found none on this machine." >&2
    return 1
}

# need_environment WHAT: WHAT is the name of a file in requirements/.
need_environment() {
    lock="$root/requirements/$1.txt"
    stamp="$root/.venv/installed-$1"
    if [ -x "$root/.venv/bin/python" ] && cmp -s "$lock" "$stamp"; then
        return
    fi
    python=$(python_of_machine)
    if [ ! -x "$root/.venv/bin/python" ]; then
        echo "Making a virtual environment (the first time only) ..."
        "$python" -m venv "$root/.venv" || {
            echo "bulge could not make a virtual environment; on Debian: apt install python3-venv" >&2
            rm -rf "$root/.venv"
            return 1
        }
    fi
    echo "Installing what bulge needs (the first time only) ..."
    "$root/.venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$lock"
    "$root/.venv/bin/python" -m pip install --quiet --disable-pip-version-check \
        --no-deps --no-build-isolation --editable "$root"
    cp "$lock" "$stamp"
}
