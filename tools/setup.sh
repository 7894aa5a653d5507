#!/usr/bin/env bash
# Installs what Graticule needs: Debian packages, and .venv/ in the checkout. Safe to repeat; when
# nothing has changed it only compares two digests.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly apt_list=tools/apt-packages.txt
readonly venv=.venv
readonly apt_stamp=$venv/.setup-apt
readonly pip_stamp=$venv/.setup-pip

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

digest() { # of the files given and of where the checkout lies
    { cat "$@"; pwd; } | sha256sum | cut -d' ' -f1
}

fresh() { # stamp, digest
    [[ -f $1 && $(<"$1") == "$2" ]]
}

wanted_packages() { sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$apt_list"; }

missing_packages() {
    local installed
    installed=$(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' | sed -n 's/^.i  *//p' | sort -u)
    wanted_packages | sort -u | comm -23 - <(printf '%s\n' "$installed")
}

install_packages() {
    if ! command -v apt-get >/dev/null; then
        say "this is not a Debian system; what $apt_list names must come from your own packages"
        return
    fi
    local missing
    mapfile -t missing < <(missing_packages)
    ((${#missing[@]})) || return 0
    local install=(apt-get install -y -q --no-install-recommends "${missing[@]}")
    local as_root=()
    if ((EUID)); then
        can_sudo || fail "run this as root, then start again:
    apt-get update && ${install[*]}"
        as_root=(sudo)
    fi
    say "installing ${#missing[@]} Debian packages"
    "${as_root[@]}" apt-get update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "${install[@]}"
}

can_sudo() { # without a password, or with someone there to type it
    command -v sudo >/dev/null || return 1
    sudo -n true 2>/dev/null || [[ -t 0 ]]
}

find_python() {
    local candidate
    for candidate in python3 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    fail "Python 3.11 or newer is needed; found $(python3 --version 2>&1 || echo none)"
}

usable_environment() { # its Python runs, and it was made here: a moved one has wrong paths inside
    "$venv/bin/python" -c '' 2>/dev/null && grep -qF -- "$PWD/$venv" "$venv/pyvenv.cfg"
}

install_environment() {
    local python
    python=$(find_python)
    say "filling $venv (1.7 GB the first time)"
    usable_environment || "$python" -m venv --clear "$venv"
    "$venv/bin/python" -m pip install --quiet --editable '.[dev]'
}

main() {
    local apt_digest pip_digest
    apt_digest=$(digest "$apt_list")
    pip_digest=$(digest pyproject.toml)
    if ! fresh "$apt_stamp" "$apt_digest"; then
        install_packages
    fi
    if ! fresh "$pip_stamp" "$pip_digest"; then
        install_environment
        printf '%s\n' "$pip_digest" >"$pip_stamp"
    fi
    printf '%s\n' "$apt_digest" >"$apt_stamp"
}

main
