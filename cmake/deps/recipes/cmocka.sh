# SPDX-License-Identifier: Apache-2.0
# For the unit tests. Its static library has a name that its .pc file does not know.
with_cmake -DWITH_STATIC_LIB=ON -DWITH_EXAMPLES=OFF -DUNIT_TESTING=OFF
if [ -e "$prefix/lib/libcmocka-static.a" ]; then
    mv "$prefix/lib/libcmocka-static.a" "$prefix/lib/libcmocka.a"
fi
rm -f "$prefix"/lib/libcmocka.so* "$prefix"/lib/libcmocka.dll*
