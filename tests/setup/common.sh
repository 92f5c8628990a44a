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

# ---- Packages of other suites: unpacked, and run with the loader and the libraries that they were built with ------

# The server that the system's own sources name.
mirror() {
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
        grep -v '^ *#' | grep -oE '(https?|file|mirror\+file):[^ ]*/debian/?( |$)' | head -n 1 | tr -d ' '
}

# suite_apt SUITE TOOL ARGUMENT...: nothing counts as installed, so that dependencies are complete.
suite_apt() {
    lists=$CACHE/apt-suites/$1
    tool=$2
    shift 2
    "$tool" -o Dir::Etc::SourceList="$lists/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$lists/lists" \
        -o Dir::Cache="$lists" -o Dir::Cache::Archives="$lists/archives" -o Dir::State::Status="$lists/status" \
        -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=1 -o Acquire::Languages=none \
        -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false "$@"
}

# suite_has SUITE PACKAGE: tests whether a suite has a package; fetches its lists, apart from the system's own.
suite_has() {
    lists=$CACHE/apt-suites/$1
    # Lists that could not be fetched are fetched the next time.
    if [ ! -e "$lists/fetched" ] || ! ls "$lists"/lists/*_Packages* >/dev/null 2>&1; then
        mirror=$(mirror)
        [ -n "$mirror" ] || fail "no server of Debian's packages is known here"
        mkdir -p "$lists/lists/partial" "$lists/archives/partial"
        keys=/usr/share/keyrings/debian-archive-keyring.gpg
        echo "deb [signed-by=$keys] $mirror $1 main" >"$lists/sources.list"
        # Some have only new packages, and need the rest of another suite.
        case $1 in
        experimental) echo "deb [signed-by=$keys] $mirror sid main" >>"$lists/sources.list" ;;
        *-backports) echo "deb [signed-by=$keys] $mirror ${1%-backports} main" >>"$lists/sources.list" ;;
        esac
        : >"$lists/status"
        say "fetching the package lists of $1"
        suite_apt "$1" apt-get -q -o APT::Update::Error-Mode=any update >&2 && touch "$lists/fetched"
    fi
    suite_apt "$1" apt-cache show "$2" >/dev/null 2>&1
}

# suite_needs SUITE NAME...: packages, and all that they need.
suite_needs() {
    suite=$1
    shift
    suite_apt "$suite" apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
        --no-replaces --no-enhances "$@" | grep -E '^[a-z]' | grep -vE '^libc-gconv' | sort -u
}

# suite_fetch SUITE FOLDER NAME...: downloads packages of a suite into a folder.
suite_fetch() {
    suite=$1
    folder=$2
    shift 2
    mkdir -p "$folder"
    (cd "$folder" && suite_apt "$suite" apt-get -q download "$@" >&2)
}

# unpack_packages PACKAGES FOLDER NAME...: unpacks packages that were fetched.
unpack_packages() {
    packages=$1
    folder=$2
    shift 2
    mkdir -p "$folder"
    for name in "$@"; do
        for package in "$packages/$name"_*.deb; do
            dpkg-deb --fsys-tarfile "$package" | tar -x -C "$folder" 2>/dev/null || true
        done
    done
}

# take_libraries SYSTEM FOLDER [MORE]: copies the shared libraries of unpacked packages into one folder, with those of the
# folder MORE, and their loader.
take_libraries() {
    mkdir -p "$2"
    loader=$(find "$1" -name 'ld-linux*.so.*' | head -n 1)
    [ -n "$loader" ] || return 1
    find "$1" \( -path '*/lib/*-linux-*/lib*.so*' -o -path "${3:-$1/none}/lib*.so*" \) -exec cp -Ln {} "$2" \; 2>/dev/null || true
    cp -L "$loader" "$2/loader"
}

# with_loader FILE LIBRARIES PROGRAM [ARGUMENT...]: writes a program that runs another one with the loader and the libraries
# of a folder, and begins its arguments with some of its own.
with_loader() {
    file=$1
    libraries=$2
    program=$3
    shift 3
    cat >"$file" <<WRAPPER
#!/bin/sh
exec "$libraries/loader" --inhibit-cache --argv0 "$(basename "$file")" --library-path "$libraries" "$program" $* "\$@"
WRAPPER
    chmod +x "$file"
}
