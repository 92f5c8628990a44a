#!/bin/sh
# Gets Bazel 7 and the remote executor BuildBox, and prints a folder of programs that run them: bazel, buildbox-casd, buildbox-worker.
#
# They are Debian's packages of the suite sid or forky, unpacked into a folder that the programs take as their root: their
# actions see it too, with /tmp, the home and all other folders of this machine where they are, and this machine's root at /host.
# Needs root. Modules that Bazel would fetch over a network, and that no rule of ours uses, are stubs.
. "$(dirname "$0")/common.sh"

prefix=$CACHE/bazel-7
if [ -x "$prefix/bin/bazel" ]; then
    echo "$prefix/bin"
    exit
fi
[ "$(id -u)" = 0 ] || fail "a root of its own for Bazel needs the rights of root"
have apt-get && have dpkg-deb || fail "Bazel 7 is only available from Debian's packages here"

suite=
for candidate in forky sid; do
    if suite_has "$candidate" bazel-bootstrap && suite_has "$candidate" buildbox; then
        suite=$candidate
        break
    fi
done
[ -n "$suite" ] || fail "no suite of Debian here has bazel-bootstrap and buildbox"

mkdir -p "$CACHE"
work=$(mktemp -d "$prefix.XXXXXX")
trap 'rm -rf "$work"' EXIT
# Of the Java runtimes that would do, the default one; no compilers, fonts, texts or services.
names=$(suite_needs "$suite" bazel-bootstrap buildbox bash dash coreutils sed grep findutils diffutils |
    grep -vE '^(openjdk-(8|11|17|21)-|gcc|g\+\+|cpp|lib(gcc|stdc\+\+)-[0-9]+-dev|binutils|systemd|perl|fonts-|tex|node-|libperl|guile|groff)')
say "fetching Bazel 7 and BuildBox ($(echo "$names" | wc -l) packages of $suite)"
# shellcheck disable=SC2086  # a list of names
suite_fetch "$suite" "$work/packages" $names
root=$work/root
# shellcheck disable=SC2086  # a list of names
unpack_packages "$work/packages" "$root" $names
rm -rf "$work/packages"

echo "root:x:0:0:root:/root:/bin/sh" >"$root/etc/passwd"
echo "root:x:0:" >"$root/etc/group"
modules=$root/usr/share/bazel-modules
: >"$root/etc/bazel.bazelrc"
for module in buildozer protobuf zlib apple_support; do
    mkdir -p "$modules/$module"
    echo "module(name = \"$module\")" >"$modules/$module/MODULE.bazel"
    echo 'package(default_visibility = ["//visibility:public"])' >"$modules/$module/BUILD"
    echo "common --override_module=$module=/usr/share/bazel-modules/$module" >>"$root/etc/bazel.bazelrc"
done
cat >"$modules/buildozer/buildozer_binary.bzl" <<'STUB'
def _empty(ctx):
    ctx.file("BUILD", "")

_repository = repository_rule(implementation = _empty)

def _extension(ctx):
    _repository(name = "buildozer_binary")

buildozer_binary = module_extension(
    implementation = _extension,
    tag_classes = {"buildozer": tag_class(attrs = {"version": attr.string(), "sha256": attr.string_dict()})},
)
STUB
echo "common --noenable_workspace --java_runtime_version=local_jdk --tool_java_runtime_version=local_jdk" >>"$root/etc/bazel.bazelrc"

mkdir -p "$work/bin" "$root/host"
cat >"$work/bin/inside" <<'INSIDE'
#!/bin/sh
# inside COMMAND...: runs a command with the unpacked packages as root.
root=$(dirname "$(dirname "$(realpath "$0")")")/root
export USER=root JAVA_HOME=/usr/lib/jvm/default-java
exec unshare --mount sh -euc '
    root=$1 folder=$2
    shift 2
    mount --bind / "$root/host"
    for place in /*; do
        case $place in
        /bin | /boot | /etc | /host | /lib* | /sbin | /usr | /var) ;;
        *)
            if [ -d "$place" ]; then
                mkdir -p "$root$place"
                mount --rbind "$place" "$root$place"
            fi
            ;;
        esac
    done
    exec chroot "$root" /bin/sh -euc "cd \"\$0\"; exec \"\$@\"" "$folder" "$@"
' - "$root" "$PWD" "$@"
INSIDE
for name in bazel buildbox-casd buildbox-worker; do
    printf '#!/bin/sh\nexec "$(dirname "$0")/inside" /usr/bin/%s "$@"\n' "$name" >"$work/bin/$name"
done
chmod +x "$work"/bin/*
(cd "$work" && ./bin/bazel --version) >/dev/null || fail "Bazel 7 does not start here"
rm -rf "$prefix"
mv "$work" "$prefix"
echo "$prefix/bin"
