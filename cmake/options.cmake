# Compiler options shared by every target of ours: warnings, sanitizers. Third-party sources
# (llhttp) are compiled without them.
option(LATHER_WERROR "Treat warnings as errors" OFF)
set(LATHER_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them (address,undefined or thread)")
option(LATHER_FUZZ "Build the fuzz targets with clang's libFuzzer" OFF)

add_library(lather_options INTERFACE)
target_compile_options(lather_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
    -Wformat=2 -Wundef -fno-strict-aliasing)
if(LATHER_TARGET) # one of cmake/toolchains: small, and the same bytes wherever the sources lie
    target_compile_options(lather_options INTERFACE
        -ffunction-sections -fdata-sections -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
    target_link_options(lather_options INTERFACE -Wl,--gc-sections -s)
endif()
if(LATHER_WERROR)
    target_compile_options(lather_options INTERFACE -Werror)
endif()
if(LATHER_SANITIZE)
    add_compile_options(-fsanitize=${LATHER_SANITIZE} -fno-omit-frame-pointer -g)
    add_link_options(-fsanitize=${LATHER_SANITIZE})
    if(LATHER_SANITIZE MATCHES undefined)
        add_compile_options(-fno-sanitize-recover=undefined)
    endif()
endif()
if(LATHER_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
        message(FATAL_ERROR "LATHER_FUZZ needs clang: use the preset fuzz")
    endif()
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
