# SPDX-License-Identifier: Apache-2.0
# Its .pc file of the static library takes the usual name, so that pkg-config finds it as it finds Debian's.
with_cmake -DLIBUV_BUILD_SHARED=OFF -DLIBUV_BUILD_TESTS=OFF -DLIBUV_BUILD_BENCH=OFF
sed 's/-l:libuv\.a/-luv/' "$prefix/lib/pkgconfig/libuv-static.pc" >"$prefix/lib/pkgconfig/libuv.pc"
rm "$prefix/lib/pkgconfig/libuv-static.pc"
