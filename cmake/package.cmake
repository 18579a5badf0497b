# cmake --build --preset static|windows --target package: the archive that users get, in the build folder's package/.
set(lather_system linux)
if(WIN32)
    set(lather_system windows)
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_custom_target(package COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/cmake/package.py
    --system ${lather_system} --version ${PROJECT_VERSION} --binary $<TARGET_FILE:lather>
    --libraries "${LATHER_DEPENDENCIES}" --source ${CMAKE_SOURCE_DIR} --output ${CMAKE_BINARY_DIR}/package
    DEPENDS lather VERBATIM)
