# SPDX-License-Identifier: Apache-2.0
# Windows: Win32's threads rather than winpthreads, and no dllexport marks in a static library. Without iconv on both
# systems, for the same behaviour: soap/codepage knows the Windows code pages.
windows=
if is_windows; then
    windows=-DHAVE_PTHREAD_H=OFF
    CFLAGS+=" -DLIBXML_STATIC"
fi
with_cmake -DLIBXML2_WITH_THREADS=ON -DLIBXML2_WITH_ISO8859X=ON $windows $(
    switches OFF LIBXML2_WITH_{PYTHON,LZMA,ICU,ICONV,ZLIB,PROGRAMS,TESTS,FTP,HTTP,HTML,LEGACY,DOCB,MODULES,DEBUG,SCHEMATRON,CATALOG}
)
