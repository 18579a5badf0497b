#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# node.sh FOLDER   puts the packages of Node that tests compare with into FOLDER/node_modules, by npm. Nothing
# happens when they are there. Their scripts are not run, and nothing outside of FOLDER is touched; npm itself comes
# from the group "npm" of packages.txt where it is missing.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
wanted=hdr-histogram-js@3.0.1

[ $# = 1 ] || { echo "usage: node.sh FOLDER" >&2; exit 1; }
[ ! -d "$1/node_modules/${wanted%@*}" ] || exit 0
command -v npm >/dev/null 2>&1 || "$here/packages.sh" install npm
mkdir -p "$1"
npm install --prefix "$1" --no-audit --no-fund --no-save --ignore-scripts "$wanted"
