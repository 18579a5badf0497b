# The libraries of docs/ARCHITECTURE.md, from Debian's packages. lather_dependencies is what the core links.
find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(LibXml2 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(uv REQUIRED IMPORTED_TARGET libuv>=1.44)
find_package(CURL 7.88 REQUIRED)
pkg_check_modules(jansson REQUIRED IMPORTED_TARGET jansson>=2.13)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip>=1.7)

# musl's own malloc is slow, most of all under threads (docs/BUILDING.md): in the static binary this takes its place.
if(LATHER_TARGET STREQUAL x86_64-linux-musl)
    find_package(mimalloc REQUIRED)
    find_file(MIMALLOC_OBJECT mimalloc.o PATH_SUFFIXES lib REQUIRED)
    set(lather_first_objects ${MIMALLOC_OBJECT})
    set_property(SOURCE ${lather_first_objects} PROPERTY EXTERNAL_OBJECT ON)
    execute_process(COMMAND musl-ldd ERROR_VARIABLE musl OUTPUT_QUIET)
    string(REGEX REPLACE ".*Version ([0-9.]+).*" "\\1" musl "${musl}")
    cmake_path(GET MIMALLOC_OBJECT PARENT_PATH mimalloc)
    file(READ ${mimalloc}/../VERSION mimalloc) # its CMake file knows two of the three numbers
    string(REGEX MATCH "[0-9.]+" mimalloc "${mimalloc}")
    set(lather_parts "mimalloc ${mimalloc}, musl ${musl}") # for --version
endif()

# llhttp comes as three C files in Debian's node-llhttp.
set(LLHTTP_SOURCE_DIR /usr/share/llhttp CACHE PATH "Folder of llhttp's C sources")
set(LLHTTP_INCLUDE_DIR /usr/share/include/llhttp CACHE PATH "Folder of llhttp.h")
if(NOT EXISTS ${LLHTTP_SOURCE_DIR}/llhttp.c)
    message(FATAL_ERROR "llhttp's sources are not in ${LLHTTP_SOURCE_DIR}: install node-llhttp or set LLHTTP_SOURCE_DIR")
endif()
add_library(llhttp STATIC
    ${LLHTTP_SOURCE_DIR}/api.c ${LLHTTP_SOURCE_DIR}/http.c ${LLHTTP_SOURCE_DIR}/llhttp.c)
target_include_directories(llhttp SYSTEM PUBLIC ${LLHTTP_INCLUDE_DIR})

add_library(lather_dependencies INTERFACE)
target_link_libraries(lather_dependencies INTERFACE
    PkgConfig::uv PkgConfig::jansson PkgConfig::libzip llhttp LibXml2::LibXml2 CURL::libcurl
    OpenSSL::SSL OpenSSL::Crypto ZLIB::ZLIB
    Threads::Threads m)
