# SPDX-License-Identifier: Apache-2.0
# Deflate is all that archives of captures are packed with. Without cryptography: archives with a password are refused.
with_cmake $(
    switches OFF ENABLE_{COMMONCRYPTO,GNUTLS,MBEDTLS,OPENSSL,WINDOWS_CRYPTO,BZIP2,LZMA,ZSTD,FDOPEN} \
        BUILD_{TOOLS,REGRESS,OSSFUZZ,EXAMPLES,DOC}
)
