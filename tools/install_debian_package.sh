#!/bin/sh
# Installs a Debian package if what it brings is missing: tools/install_debian_package.sh PACKAGE COMMAND...
# It is there if one of the commands is on the PATH or matches as a file: tools/install_debian_package.sh postgresql '/usr/lib/postgresql/*/bin/initdb'
set -eu

package=$1
shift

for command; do
    for found in $command; do # unquoted: a pattern stands for the files that it matches
        if command -v "$found" >/dev/null; then
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
