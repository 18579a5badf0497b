# SPDX-License-Identifier: Apache-2.0
# Kept: legacy (RC2 opens old .pfx files; built into libcrypto by no-module) and DES (NTLM). A binary that is copied to
# strange machines must not read their openssl.cnf (no-autoload-config), nor look for engines or modules in the folder
# of the machine that built it.
system=linux-x86_64 settings=/etc/ssl
if is_windows; then
    system=mingw64 settings="C:/Program Files/Common Files/SSL"
fi
# The flags that name folders of this machine go through a file: OpenSSL keeps its compiler's command line for display.
printf '%s\n' $CFLAGS "-ffile-prefix-map=$tree=." "-ffile-prefix-map=$work=." >flags
unset CFLAGS
CC="$compiler @flags" AR="${tools}ar" RANLIB="${tools}ranlib" RC="${tools}windres" \
    perl "$tree/Configure" $system --prefix="$prefix" --libdir=lib --openssldir="$settings" \
    no-shared no-tests no-apps no-docs no-module no-engine no-dso no-autoload-config \
    no-comp no-ssl3 no-dtls no-srp no-srtp no-psk no-quic no-async no-ui-console \
    no-cmp no-cms no-ct no-ts no-rfc3779 no-gost no-sm2 no-sm3 no-sm4 no-aria no-camellia \
    no-bf no-cast no-idea no-seed no-whirlpool no-mdc2 no-rmd160 no-ec2m no-slh-dsa no-ml-dsa $opt
# Again for make: Configure, on Linux, takes C:/ for a folder below the prefix.
folders=(OPENSSLDIR="$settings" ENGINESDIR=/nowhere MODULESDIR=/nowhere)
make -s -j "$jobs" "${folders[@]}" build_libs
make -s "${folders[@]}" install_dev
