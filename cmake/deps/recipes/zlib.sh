# SPDX-License-Identifier: Apache-2.0
# By hand: Debian's tarball lacks win32/, which zlib's CMake file wants even on Linux.
CC="$cc" AR="${tools}ar" RANLIB="${tools}ranlib" CFLAGS="$CFLAGS $opt -ffile-prefix-map=$tree=." \
    "$tree/configure" --static --prefix="$prefix"
make -j "$jobs" libz.a
make install
