# SPDX-License-Identifier: GPL-3.0-or-later
# What app/run and tests/run do first: install the missing Debian packages, configure and build in build/. Sourced, not run.
# Every step looks first whether it is done, so that a second call costs well under a second.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build

# Package and what it is needed for.
packages=(
    "g++:C++20 compiler"
    "cmake:configures the build"
    "ninja-build:runs the build"
    "ccache:makes repeated builds fast"
    "qt6-base-dev:Qt 6, the window and the tests"
    "qt6-svg-dev:Qt 6 SVG, icons"
    "libqt6svg6:SVG icons at run time"
    "libqcustomplot-dev:plot widget, header"
    "libqcustomplot2.1-qt6:plot widget, library for Qt 6"
    "nlohmann-json3-dev:JSON reader"
    "zlib1g-dev:reads compressed recordings"
    "fonts-noto-core:text in the window"
    "fonts-noto-mono:figures in the window"
    "fonts-dejavu-core:symbols in the window"
)

say() { printf '%s\n' "$*" >&2; }

# Runs a command as root, through sudo only if we are not.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        say "This needs root and there is no sudo. Run as root: $*"
        return 1
    fi
}

install_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "Not a Debian system: the packages of README.md are taken to be installed."
        return 0
    fi
    local entry name missing=()
    local installed
    installed=$(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' 2>/dev/null | sed -n 's/^.i *//p')
    for entry in "${packages[@]}"; do
        name=${entry%%:*}
        if ! grep -qxF "$name" <<<"$installed"; then
            [ ${#missing[@]} -gt 0 ] || say "Missing packages, to be installed with apt-get:"
            say "  $name (${entry#*:})"
            missing+=("$name")
        fi
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2 &&
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" >&2
}

# configure [CMAKE-ARGUMENT...]: a Release build with Ninja. Configured once; arguments are applied at every call.
configure() {
    if [ -f "$build/build.ninja" ] && [ $# -eq 0 ]; then return 0; fi
    say "Configuring $build"
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" >&2
}

# build_targets [TARGET...]: everything without a target.
build_targets() {
    local arguments=() target
    for target in "$@"; do arguments+=(--target "$target"); done
    [ -f "$build/.ninja_log" ] || say "Building; the first time takes some minutes"
    cmake --build "$build" "${arguments[@]}" >&2
}
