#!/bin/sh
# release.sh RELEASE [library|tools|opt|headers|develop]: gets a release of MLIR other than the set-up's, and prints its
# prefix.
#
# The prefix holds include/ with MLIR's `.td` files. `tools` adds LLVM's and bin/mlir-tblgen, `opt` also bin/mlir-opt;
# both run with the loader and the libraries that they were built with. `headers` gets another prefix, with the C++
# headers of MLIR and LLVM; `develop` adds lib/ with the shared libraries to link with. All come from Debian's packages
# of that release, from whichever suite has them, and are unpacked into the cache; nothing is installed.
# ODSMITH_PREFIX_<release> names another prefix.
. "$(dirname "$0")/common.sh"

release=${1:?a release, as in 19}
wanted=${2:-library}
prefix=$CACHE/releases/$release
case $wanted in
headers | develop) prefix=$CACHE/$wanted/$release ;;
esac

holds_headers() {
    [ -f "$1/include/mlir/IR/MLIRContext.h" ] && [ -f "$1/include/llvm/ADT/StringRef.h" ] && [ -f "$1/include/llvm-c/Types.h" ]
}

eval "given=\${ODSMITH_PREFIX_$release:-}"
if [ -n "$given" ]; then
    [ -f "$given/include/mlir/IR/OpBase.td" ] || fail "ODSMITH_PREFIX_$release is $given, which holds no include/mlir/IR/OpBase.td"
    case $wanted in
    headers | develop) ;;
    *) echo "$given" && exit ;;
    esac
    holds_headers "$given" || fail "ODSMITH_PREFIX_$release is $given, which holds no headers of MLIR and LLVM"
    echo "$given"
    exit
fi

works() {
    "$1" --version 2>/dev/null | grep -q "LLVM version $release\."
}

case $wanted in
library) is_there() { [ -f "$1/include/mlir/IR/OpBase.td" ]; } ;;
tools) is_there() { [ -d "$1/include/llvm" ] && works "$1/bin/mlir-tblgen"; } ;;
opt) is_there() { [ -d "$1/include/llvm" ] && works "$1/bin/mlir-tblgen" && works "$1/bin/mlir-opt"; } ;;
headers) is_there() { [ -f "$1/include/mlir/IR/OpBase.td" ] && holds_headers "$1"; } ;;
develop) is_there() { holds_headers "$1" && [ -e "$1/lib/libMLIR.so" ] && [ -e "$1/lib/libLLVM.so" ]; } ;;
*) fail "release.sh gets a library, tools, opt, headers or develop, not '$wanted'" ;;
esac

if is_there "$prefix"; then
    echo "$prefix"
    exit
fi
have apt-get && have dpkg-deb || fail "MLIR $release is only available from Debian's packages here: set ODSMITH_PREFIX_$release to a prefix of it"

# ---- Package lists of a suite, apart from the system's own --------------------------------------------------------

# The server that the system's own sources name.
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
    grep -v '^ *#' | grep -oE '(https?|file|mirror\+file):[^ ]*/debian/?( |$)' | head -n 1 | tr -d ' ')
[ -n "$mirror" ] || fail "no server of Debian's packages is known here: set ODSMITH_PREFIX_$release to a prefix of MLIR $release"

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

# Tests whether a suite has MLIR of this release.
has_release() {
    lists=$CACHE/apt-suites/$1
    # Lists that could not be fetched are fetched the next time.
    if [ ! -e "$lists/fetched" ] || ! ls "$lists"/lists/*_Packages* >/dev/null 2>&1; then
        mkdir -p "$lists/lists/partial" "$lists/archives/partial"
        keys=/usr/share/keyrings/debian-archive-keyring.gpg
        echo "deb [signed-by=$keys] $mirror $1 main" >"$lists/sources.list"
        # It has only what is new, and needs the rest of sid.
        [ "$1" != experimental ] || echo "deb [signed-by=$keys] $mirror sid main" >>"$lists/sources.list"
        : >"$lists/status"
        say "fetching the package lists of $1"
        suite_apt "$1" apt-get -q -o APT::Update::Error-Mode=any update >&2 && touch "$lists/fetched"
    fi
    suite_apt "$1" apt-cache show "libmlir-$release-dev" >/dev/null 2>&1
}

suite=
for candidate in bookworm trixie forky sid experimental; do
    if has_release "$candidate"; then
        suite=$candidate
        break
    fi
done
[ -n "$suite" ] || fail "no suite of $mirror has MLIR $release: set ODSMITH_PREFIX_$release to a prefix of it"

# ---- Packages -----------------------------------------------------------------------------------------------------

mkdir -p "${prefix%/*}"
work=$(mktemp -d "$prefix.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/packages" "$work/new"

# fetch NAME...: downloads packages of the suite.
fetch() {
    (cd "$work/packages" && suite_apt "$suite" apt-get -q download "$@" >&2) || fail "could not get $* of $suite"
}

# definitions NAME: unpacks the `.td` files of a package.
definitions() {
    dpkg-deb --fsys-tarfile "$work"/packages/"$1"_*.deb | tar -x -C "$work/files" --wildcards '*/include/*.td'
}

# headers NAME: unpacks the headers of a package, and those that they include.
headers() {
    dpkg-deb --fsys-tarfile "$work"/packages/"$1"_*.deb | tar -x -C "$work/files" --wildcards '*/include/*'
}

mkdir "$work/files"
say "taking MLIR $release's .td files from $suite's package libmlir-$release-dev (about 30 MB to download, a few kept)"
fetch "libmlir-$release-dev"
definitions "libmlir-$release-dev"
if [ "$wanted" = headers ] || [ "$wanted" = develop ]; then
    say "taking headers from $suite's packages libmlir-$release-dev and llvm-$release-dev (about 40 MB to download)"
    fetch "llvm-$release-dev"
    headers "libmlir-$release-dev"
    headers "llvm-$release-dev"
fi

# needs NAME: a package and all that it needs.
needs() {
    suite_apt "$suite" apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
        --no-replaces --no-enhances "$1" | grep -E '^[a-z]' | grep -vE '^(libc-gconv|gcc-[0-9]+-base|libmlir-|debconf|python)' | sort -u
}

# unpack FOLDER NAME...: unpacks packages that were fetched.
unpack() {
    folder=$1
    shift
    mkdir -p "$folder"
    for name in "$@"; do
        for package in "$work"/packages/"$name"_*.deb; do
            dpkg-deb --fsys-tarfile "$package" | tar -x -C "$folder" 2>/dev/null || true
        done
    done
}

if [ "$wanted" = develop ]; then
    say "taking shared libraries of MLIR $release from $suite's packages (about 60 MB to download)"
    # The C and C++ libraries are those with which the compiler here links.
    needed="libmlir-$release $(needs "libmlir-$release" | grep -vE '^(libc6|libcrypt1|libgcc-s1|libstdc\+\+6)$')"
    # shellcheck disable=SC2086  # a list of names
    fetch $needed
    # shellcheck disable=SC2086
    unpack "$work/system" $needed
    mkdir -p "$work/new/lib"
    find "$work/system" -path '*/lib/*' -name 'lib*.so.*' -exec cp -Ln {} "$work/new/lib" \; 2>/dev/null || true
    for name in MLIR LLVM; do
        found=$(find "$work/new/lib" -name "lib$name.so.$release*" -o -name "lib$name-$release.so*" | head -n 1)
        [ -n "$found" ] || fail "no shared library of $name $release is in $suite's packages"
        ln -s "${found##*/}" "$work/new/lib/lib$name.so"
    done
fi
if [ "$wanted" = tools ] || [ "$wanted" = opt ]; then
    say "taking mlir-tblgen $release and what it runs with from $suite's packages (about 100 MB to download)"
    needed=$(needs "mlir-$release-tools")
    # shellcheck disable=SC2086  # a list of names
    fetch $needed "llvm-$release-dev"
    definitions "llvm-$release-dev"
    # shellcheck disable=SC2086
    unpack "$work/system" $needed
    mkdir -p "$work/new/lib" "$work/new/bin"
    llvm=$work/system/usr/lib/llvm-$release
    loader=$(find "$work/system" -name 'ld-linux*.so.*' | head -n 1)
    [ -n "$loader" ] || fail "$suite's C library has no loader where it was looked for"
    find "$work/system" \( -path '*/lib/*-linux-*/lib*.so.*' -o -path "$llvm/lib/lib*.so*" \) -exec cp -Ln {} "$work/new/lib" \; 2>/dev/null || true
    cp -L "$loader" "$work/new/lib/loader"
    programs=mlir-tblgen
    [ "$wanted" != opt ] || programs="mlir-tblgen mlir-opt"
    for program in $programs; do
        cp "$llvm/bin/$program" "$work/new/bin/$program.program"
        cat >"$work/new/bin/$program" <<WRAPPER
#!/bin/sh
exec "$prefix/lib/loader" --inhibit-cache --argv0 $program --library-path "$prefix/lib" "$prefix/bin/$program.program" "\$@"
WRAPPER
        chmod +x "$work/new/bin/$program"
    done
fi
base=$(find "$work/files" -path '*/include/mlir/IR/OpBase.td' | head -n 1)
[ -n "$base" ] || fail "the package libmlir-$release-dev holds no mlir/IR/OpBase.td"
mv "${base%/mlir/IR/OpBase.td}" "$work/new/include"
# LLVM's files are in other folders of their package, to which there are links.
for file in llvm/IR/Intrinsics.td llvm-c/Types.h; do
    folder=${file%%/*}
    found=$(find "$work/files" -path "*/$file" | head -n 1)
    if [ -n "$found" ]; then
        rm -f "$work/new/include/$folder"
        mv "${found%"${file#*/}"}" "$work/new/include/$folder"
    fi
done
# Another run may have been faster; its files are the same.
is_there "$prefix" || { rm -rf "$prefix" && mv "$work/new" "$prefix"; }
is_there "$prefix" || fail "$wanted of MLIR $release: not all is in $prefix that should be"
say "unpacked MLIR $release into $prefix"
echo "$prefix"
