#!/bin/sh
# bazel_rules.sh FOLDER: puts stubs of Bazel's rules for C++ and Java into FOLDER, and prints the flags that name it.
#
# Bazel fetches these rules over a network; without one, only their names are needed, which native rules provide.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)

rules() {
    mkdir -p "$folder/$1/$2"
    touch "$folder/$1/WORKSPACE"
    printf 'package(default_visibility = ["//visibility:public"])\n' >"$folder/$1/$2/BUILD"
    for rule in $3; do
        printf 'def %s(**attributes):\n    native.%s(**attributes)\n\n' "$rule" "$rule"
    done >"$folder/$1/$2/defs.bzl"
}
rules cc cc "cc_binary cc_import cc_library cc_proto_library cc_test cc_toolchain cc_toolchain_suite cc_toolchain_alias
    fdo_prefetch_hints fdo_profile objc_import objc_library"
printf 'toolchain_type(name = "toolchain_type")\n' >>"$folder/cc/cc/BUILD"
for rule in cc_flags_supplier compiler_flag; do
    printf 'def %s(name, **attributes):\n    native.filegroup(name = name, visibility = ["//visibility:public"])\n\n' "$rule"
done >>"$folder/cc/cc/defs.bzl"
rules java java "java_binary java_import java_library java_lite_proto_library java_proto_library java_test
    java_package_configuration java_plugin java_runtime java_toolchain"

echo "--override_repository=rules_cc=$folder/cc --override_repository=rules_java=$folder/java"
if [ -d /usr/share/bazel/platforms ]; then
    echo "--override_repository=platforms=/usr/share/bazel/platforms"
fi
