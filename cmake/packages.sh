#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# packages.sh list GROUP...      prints the packages of these groups of packages.txt
# packages.sh missing GROUP...   prints those that are not installed
# packages.sh install GROUP...   installs those, with sudo when not root
# Asks nothing but sudo's own question for the password. Installs nothing when all are there.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

die() {
    echo "packages.sh: $*" >&2
    exit 1
}

list() {
    for group in "$@"; do
        names=$(sed -n "s/^$group: *//p" "$here/packages.txt" | tr '\n' ' ')
        echo "$names"
    done | tr ' ' '\n' | sed '/^$/d' | sort -u
}

missing() {
    list "$@" | while read -r package; do
        state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=absent
        [ "$state" = installed ] || echo "$package"
    done
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif ! command -v sudo >/dev/null 2>&1; then
        die "these packages are missing and there is no sudo; as root, run: apt-get install $wanted"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@" || die "sudo needs a password and there is no terminal; as root, run: apt-get install $wanted"
    fi
}

# A package that brings a server must not start it: 101 is "not allowed" in invoke-rc.d's contract.
without_starting_servers() {
    policy=/usr/sbin/policy-rc.d
    if [ -e "$policy" ]; then
        "$@"
        return
    fi
    as_root sh -c "printf '#!/bin/sh\nexit 101\n' >$policy && chmod 755 $policy"
    result=0
    "$@" || result=$?
    as_root rm -f "$policy"
    return "$result"
}

apt_install() {
    # shellcheck disable=SC2086 # one word a package
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        -o DPkg::Lock::Timeout=300 $wanted
}

command=${1:-}
[ $# -ge 2 ] || die "usage: packages.sh list|missing|install GROUP..."
shift
for group in "$@"; do
    grep -q "^$group:" "$here/packages.txt" || die "packages.txt has no group '$group'"
done
case $command in
list) list "$@" ;;
missing | install)
    command -v dpkg-query >/dev/null 2>&1 ||
        die "this system has no dpkg; install what cmake/packages.txt names ($*) by its own means"
    wanted=$(missing "$@" | tr '\n' ' ')
    if [ "$command" = missing ]; then
        echo "$wanted"
    elif [ -n "$wanted" ]; then
        echo "installing $wanted"
        as_root apt-get update || echo "packages.sh: apt-get update failed; trying with the old lists" >&2
        without_starting_servers apt_install
    fi
    ;;
*) die "usage: packages.sh list|missing|install GROUP..." ;;
esac
