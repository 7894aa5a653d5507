#!/usr/bin/env bash
# Proves the README's two commands on a fresh Debian 12: builds one with mmdebstrap, clones the last
# commit into it, and runs `make demo` and `make test` twice in a row. Needs root (chroot and mounts).
#
#   tools/clean_room.sh              the log goes to docs/clean-room.log, host names taken out
#   tools/clean_room.sh COMMAND …    other commands than the four; the log only to the screen
#   CLEAN_ROOM_KEEP=1 …              leaves the chroot for a look inside
#
# Packages come from where this machine gets its own: its Debian sources, keys, proxies and pip settings.
# shellcheck disable=SC2016,SC2317  # apt expands its own variables; the trap calls leave()
set -euo pipefail
cd "$(dirname "$0")/.."

readonly suite=bookworm
commands=("$@")
log=/dev/null
((${#commands[@]})) || {
    commands=("make demo" "make test" "make demo" "make test")
    log=docs/clean-room.log
}
readonly commands log
readonly checkout=/graticule

say() { printf 'clean room: %s\n' "$*"; }
fail() { say "$*" >&2; exit 1; }

((EUID == 0)) || fail "this needs root: it mounts /proc and /dev into a chroot. Try: sudo make clean-room"
command -v mmdebstrap >/dev/null || fail "mmdebstrap is missing: apt-get install mmdebstrap"
[[ -z $(git status --porcelain --untracked-files=no) ]] || say "note: only what is committed is tested"

room=$(mktemp -d "${TMPDIR:-/tmp}/clean-room.XXXXXX")
readonly room
readonly root=$room/debian
readonly raw=$room/raw.log

unmount() { # deepest first
    local mounts
    mapfile -t mounts < <(awk -v root="$root" 'index($2, root "/") == 1 { print $2 }' /proc/self/mounts | sort -r)
    local mount
    for mount in "${mounts[@]}"; do umount "$mount" || umount --lazy "$mount"; done
}

end_processes() { # whatever an interrupted command left running inside
    local turn process
    for turn in TERM KILL KILL; do
        local found=()
        for process in /proc/[0-9]*; do
            [[ $(readlink "$process/root" 2>/dev/null) == "$root" ]] && found+=("${process#/proc/}")
        done
        ((${#found[@]})) || return 0
        kill -s "$turn" "${found[@]}" 2>/dev/null || true
        sleep 1
    done
}

leave() {
    local status=$?
    end_processes
    unmount
    if [[ -n ${CLEAN_ROOM_KEEP:-} ]]; then say "kept $root"; else rm -rf --one-file-system "$room"; fi
    exit "$status"
}
trap leave EXIT

debian_sources() { # this machine's own Debian sources, as one-line entries; third parties left out
    apt-get indextargets --format '$(ORIGIN) $(CODENAME) $(SIGNED_BY)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)' \
        'Created-By: Packages' 2>/dev/null |
        awk -F'|' -v suite="$suite" '
            { split($1, head, " ") }
            head[1] == "Debian" && index(head[2], suite) == 1 && !seen[$2 $3 $4]++ {
                printf "deb %s %s %s\n", $2, $3, $4
            }'
}

build() {
    local sources=$room/sources.list
    debian_sources >"$sources"
    say "building Debian 12 (minbase)"
    local from=() # none: mmdebstrap's own default
    [[ -s $sources ]] && from=("$sources")
    mmdebstrap --quiet --variant=minbase --include=ca-certificates,git,make \
        --aptopt='Acquire::Languages "none"' "$suite" "$root" "${from[@]}"
}

configure() { # network, certificates and pip settings of this machine
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    apt-config dump | grep -E '^Acquire::https?::(Proxy|CaInfo)' >"$root/etc/apt/apt.conf.d/90host" || true
    local path
    for path in /etc/pip.conf /etc/xdg/pip /usr/local/share/ca-certificates; do
        [[ -e $path ]] || continue
        mkdir -p "$root$(dirname "$path")"
        cp -aLT "$path" "$root$path"
    done
    chroot "$root" update-ca-certificates >/dev/null 2>&1
}

mount_all() {
    mkdir -p "$root"/{proc,sys,dev/shm,dev/pts,run}
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sys "$root/sys"
    local node
    for node in null zero full random urandom tty; do
        [[ -e $root/dev/$node ]] || : >"$root/dev/$node"
        mount --bind "/dev/$node" "$root/dev/$node"
    done
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    ln -sfn pts/ptmx "$root/dev/ptmx"
    ln -sfn /proc/self/fd "$root/dev/fd"
    mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
}

passed_on() { # proxies and package settings by name, never the rest of this shell
    env -0 | grep -zE '^(https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY|PIP_(INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST|CERT|DEFAULT_TIMEOUT)|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE)=' || true
}

inside() { # a command in the checkout, with a fresh environment
    local variables=()
    mapfile -d '' -t variables < <(passed_on)
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        TERM=dumb "${variables[@]}" /bin/bash -c "cd $checkout && $*" </dev/null
}

clone() {
    git clone --quiet --no-hardlinks . "$root$checkout"
    git -C "$root$checkout" remote remove origin
}

hide_hosts() { # the log is committed: no addresses of this machine's package sources in it
    sed -E -e 's#(https?|file)://[^ /"'\'']+#\1://…#g' -e "s#$room#…#g" \
        -e '/^(Get|Hit|Ign|Fetched|Looking in indexes|Reading|Building dependency)/d' \
        -e '/^(Selecting|Preparing to unpack|Unpacking|Setting up|Processing triggers|\(Reading)/d'
}

run() { # command
    local began=$SECONDS
    printf '\n$ %s\n' "$1"
    inside "$1" || return
    printf '# %s: fine, after %d s\n' "$1" $((SECONDS - began))
}

tour() {
    printf 'Graticule %s in a fresh Debian %s, %s cores\n' \
        "$(git rev-parse --short HEAD)" "$(<"$root/etc/debian_version")" "$(nproc)"
    local command
    for command in "${commands[@]}"; do
        run "$command" || { printf '\nFAILED with %d: %s\n' "$?" "$command"; return 1; }
    done
    printf '\nall %d commands ended with 0\n' "${#commands[@]}"
}

build
configure
mount_all
clone
say "running; this takes a while"
status=0
tour >"$raw" 2>&1 || status=$?
hide_hosts <"$raw" | tee "$log" | tail -n 60
say "log in $log"
exit "$status"
