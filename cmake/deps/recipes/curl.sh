# SPDX-License-Identifier: Apache-2.0
# HTTP alone; NTLM by itself on Linux and by Windows itself there (SSPI, with Negotiate and Kerberos). No certificates are
# built in: the program chooses them. A stranger's openssl.cnf is not read.
windows=
if is_windows; then
    windows=-DCURL_WINDOWS_SSPI=ON
    CFLAGS+=" -DNGHTTP2_STATICLIB"
fi
with_cmake -DCURL_CA_BUNDLE=none -DCURL_CA_PATH=none $windows $(
    switches ON HTTP_ONLY BUILD_STATIC_LIBS CURL_USE_OPENSSL USE_NGHTTP2 CURL_ZLIB ENABLE_IPV6 ENABLE_THREADED_RESOLVER \
        CURL_DISABLE_{LDAP,ALTSVC,HSTS,DOH,AWS,NETRC,SRP,WEBSOCKETS,FORM_API,OPENSSL_AUTO_LOAD_CONFIG}
    switches OFF BUILD_CURL_EXE BUILD_LIBCURL_DOCS BUILD_MISC_DOCS ENABLE_CURL_MANUAL BUILD_EXAMPLES CURL_BROTLI CURL_ZSTD \
        USE_LIBIDN2 CURL_USE_{LIBPSL,LIBSSH2,PKGCONFIG} ENABLE_UNIX_SOCKETS
)
