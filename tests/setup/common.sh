# shellcheck shell=sh
# Shared parts of the set-up scripts. Sourced, not run; POSIX sh.
#
# Every script does one thing, reports its steps on standard error, does nothing if that is done already, and prints one
# line on standard output: the path of what it set up.
#
#   ODSMITH_CACHE          where unpacked files go (default: ${XDG_CACHE_HOME:-$HOME/.cache}/odsmith)
#   ODSMITH_NO_INSTALLED   when set, installations of MLIR are overlooked, as on a fresh machine

set -eu

MLIR_RELEASE=22
CACHE=${ODSMITH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/odsmith}

say() {
    echo "set-up: $*" >&2
}

fail() {
    say "$@"
    exit 1
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# Prefixes that may hold MLIR, the most explicit first.
mlir_prefixes() {
    if [ -n "${MLIR_PREFIX:-}" ]; then
        echo "$MLIR_PREFIX"
    fi
    if [ -n "${ODSMITH_NO_INSTALLED:-}" ]; then
        return
    fi
    for config in "llvm-config-$MLIR_RELEASE" llvm-config; do
        if have "$config"; then
            "$config" --prefix
        fi
    done
    for tool in "mlir-tblgen-$MLIR_RELEASE" mlir-tblgen; do
        if have "$tool"; then
            dirname "$(dirname "$(readlink -f "$(command -v "$tool")")")"
        fi
    done
    echo "/usr/lib/llvm-$MLIR_RELEASE"
    for homebrew in /opt/homebrew /usr/local /home/linuxbrew/.linuxbrew; do
        echo "$homebrew/opt/llvm@$MLIR_RELEASE"
        echo "$homebrew/opt/llvm"
    done
    echo "/opt/llvm-$MLIR_RELEASE"
    echo /usr/local
    echo /usr
}

# Tests whether the installation under a prefix has the wanted release; one that MLIR_PREFIX names is trusted.
is_wanted_release() {
    [ "$1" != "${MLIR_PREFIX:-}" ] || return 0
    case $1 in
    *"llvm-$MLIR_RELEASE" | *"llvm@$MLIR_RELEASE") return 0 ;;
    esac
    grep -qs "define LLVM_VERSION_MAJOR $MLIR_RELEASE\$" "$1/include/llvm/Config/llvm-config.h"
}

# ---- Debian's package client --------------------------------------------------------------------------------------

# apt-get or apt-cache with lists in a folder of ours: needs no root and does not change the system.
own_apt() {
    tool=$1
    shift
    mkdir -p "$CACHE/apt/lists/partial" "$CACHE/apt/archives/partial"
    "$tool" -o Dir::State::Lists="$CACHE/apt/lists" -o Dir::Cache="$CACHE/apt" -o Dir::Cache::Archives="$CACHE/apt/archives" \
        -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=1 "$@"
}

# fetch_packages FOLDER NAME...: downloads the packages into the folder, without installing them.
fetch_packages() {
    folder=$1
    shift
    have apt-get && have dpkg-deb || return 1
    mkdir -p "$folder"
    # The system's package lists may be missing (as in container images) or out of date: then our own lists are used.
    if apt-cache show "$@" >/dev/null 2>&1 && (cd "$folder" && apt-get -o APT::Sandbox::User="$(id -un)" download "$@" >&2); then
        return 0
    fi
    say "fetching the distribution's package lists"
    own_apt apt-get -q update >&2 || return 1
    for name in "$@"; do
        if ! own_apt apt-cache show "$name" >/dev/null 2>&1; then
            say "this distribution has no package $name"
            return 1
        fi
    done
    (cd "$folder" && own_apt apt-get download "$@" >&2)
}

# install_packages NAME...: installs them, if that is allowed.
install_packages() {
    have apt-get || return 1
    if [ "$(id -u)" = 0 ]; then
        as_root="env"
    elif have sudo && sudo -n true 2>/dev/null; then
        as_root="sudo env"
    else
        return 1
    fi
    say "installing $*"
    # shellcheck disable=SC2086  # two words, or one
    {
        $as_root DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >&2 ||
            { $as_root apt-get -qq update >&2 && $as_root DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >&2; }
    }
}
