# Run at each build (cmake -P): writes what version.h declares and only the build knows, when it has changed.
#   -D SOURCE=folder of the project  -D OUTPUT=file to write  -D PARTS=text
find_program(GIT git)
set(commit "")
if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-toplevel
        OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(top STREQUAL SOURCE) # an unpacked archive may lie in somebody else's repository
        execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --exclude=* --abbrev=12 --dirty=+
            OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        string(REPLACE "+" ", changed since" commit "${commit}")
    endif()
endif()
set(text "/* Written by cmake/facts.cmake. */
#include \"lather/cli/version.h\"

const char version_commit[] = \"${commit}\";
const char version_parts[] = \"${PARTS}\";
")
if(EXISTS ${OUTPUT})
    file(READ ${OUTPUT} before)
endif()
if(NOT text STREQUAL before)
    file(WRITE ${OUTPUT} "${text}")
endif()
