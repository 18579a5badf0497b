# Linux, x86-64: one static binary with musl. CMAKE_SYSTEM_NAME is left alone on purpose: what is built runs here, so
# this is no cross build.
set(CMAKE_C_COMPILER musl-gcc)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")
include(${CMAKE_CURRENT_LIST_DIR}/dependencies.cmake)
