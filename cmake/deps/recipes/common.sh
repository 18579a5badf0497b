# SPDX-License-Identifier: Apache-2.0
# What the recipes share. Sourced by build, in bash; a recipe finds in $tree the sources, in $work its (current) folder,
# in $prefix where to install, in prefix_of[NAME] the libraries it needs.
opt="-O2 -fPIC -ffunction-sections -fdata-sections -DNDEBUG"
jobs=${JOBS:-$(nproc)}
case $target in
x86_64-linux-musl)
    compiler=musl-gcc tools= object_format=elf64-x86-64
    # musl-gcc sees none of the kernel's headers: a folder of links to those, and to no others of this machine.
    kernel=$cache/$target/kernel
    mkdir -p "$kernel"
    ln -sfn /usr/include/linux /usr/include/asm-generic "/usr/include/$(gcc -print-multiarch)/asm" "$kernel/"
    cc="musl-gcc -idirafter $kernel"
    export CFLAGS="-idirafter $kernel"
    ;;
x86_64-w64-mingw32)
    compiler=x86_64-w64-mingw32-gcc-win32 tools=x86_64-w64-mingw32- object_format=pe-x86-64
    cc=$compiler
    export CFLAGS=
    ;;
*)
    echo "deps: no target is called $target" >&2
    exit 1
    ;;
esac
export SOURCE_DATE_EPOCH=0 # the same bytes whenever it is built

is_windows() { [ "$target" = x86_64-w64-mingw32 ]; }

# with_cmake OPTION...: configures, builds and installs one CMake package. The paths of this machine stay out of it.
with_cmake() {
    local need paths=
    for need in ${needs_of[$name]}; do paths+=";${prefix_of[$need]}"; done
    CFLAGS="$CFLAGS -ffile-prefix-map=$tree=. -ffile-prefix-map=$work=." \
        cmake -G Ninja -S "$tree" -B "$work" -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DLATHER_DEPENDENCIES="${paths#;}" \
        -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS_RELEASE="$opt" -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF -Wno-dev "$@"
    cmake --build "$work" -j "$jobs"
    cmake --install "$work"
}

# switches ON|OFF NAME...: -DNAME=ON ...
switches() {
    local value=$1
    shift
    printf -- "-D%s=$value " "$@"
}
