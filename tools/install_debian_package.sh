#!/bin/sh
# Install a Debian package if its program is missing: tools/install_debian_package.sh PACKAGE COMMAND...
# Each COMMAND is a program on the PATH or a pattern of files: tools/install_debian_package.sh postgresql '/usr/lib/postgresql/*/bin/initdb'
set -eu

package=$1
shift

for command; do
    for candidate in $command; do # unquoted, so that a pattern expands to the files that it matches
        if command -v "$candidate" >/dev/null; then
            exit 0
        fi
    done
done

if [ "$(id -u)" = 0 ]; then
    as_root=
elif sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    as_root=none
fi

if [ "$as_root" = none ] || ! command -v apt-get >/dev/null; then
    echo "The tests need $package, which is not installed here. Please install it: on Debian, apt-get install $package" >&2
    exit 1
fi

echo "Installing the Debian package $package for the tests"
$as_root env DEBIAN_FRONTEND=noninteractive sh -c '
    apt-get -qq update && apt-get -qq install --yes --no-install-recommends "$1"' sh "$package" >/dev/null
