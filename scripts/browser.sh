# Read by ./test: a browser for the tests that click. Installed where it is missing and that is permitted;
# elsewhere those tests are skipped, and say so.

need_browser() {
    if [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
        return
    fi
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "Installing Chromium for the browser tests ..."
        apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium >/dev/null && return
    fi
    echo "No Chromium here, and no permission to install it: the browser tests will be skipped."
}
