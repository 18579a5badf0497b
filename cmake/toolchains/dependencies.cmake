# What the toolchain files share: every library comes from the prefixes that cmake/deps/build made for this target, and
# never from the build machine's own /usr. What is missing there is built now, which takes minutes the first time.
cmake_path(GET CMAKE_PARENT_LIST_FILE STEM LATHER_TARGET)
if(NOT DEFINED LATHER_DEPENDENCIES)
    execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/../deps/build ${LATHER_TARGET}
        OUTPUT_VARIABLE LATHER_DEPENDENCIES OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    if(DEFINED CACHE{LATHER_DEPENDENCIES_FOUND} AND NOT LATHER_DEPENDENCIES_FOUND STREQUAL LATHER_DEPENDENCIES)
        message(FATAL_ERROR "the static libraries have changed: configure afresh with cmake --fresh --preset NAME")
    endif()
    set(LATHER_DEPENDENCIES_FOUND "${LATHER_DEPENDENCIES}" CACHE INTERNAL "prefixes this folder was configured with")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LATHER_DEPENDENCIES)

set(CMAKE_PREFIX_PATH ${LATHER_DEPENDENCIES})
set(CMAKE_FIND_ROOT_PATH ${LATHER_DEPENDENCIES} ${LATHER_SYSTEM_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# libxml2's and curl's own CMake files know what a static library of theirs needs.
set(CMAKE_FIND_PACKAGE_PREFER_CONFIG ON)
set(OPENSSL_USE_STATIC_LIBS ON)
set(PKG_CONFIG_ARGN --static)
list(TRANSFORM LATHER_DEPENDENCIES APPEND /lib/pkgconfig OUTPUT_VARIABLE _folders)
list(JOIN _folders ":" _folders)
set(ENV{PKG_CONFIG_LIBDIR} "${_folders}")
