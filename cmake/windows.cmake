# The Windows side of the house: win32/ in the place of src/base/*_posix.c.
list(FILTER lather_sources EXCLUDE REGEX "/src/base/[a-z]+_posix\\.c$")
file(GLOB windows_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/win32/*.c)
list(APPEND lather_sources ${windows_sources})

# Windows 8 and Server 2012 on. MinGW's own printf, as msvcrt's knows neither %zu nor C99's rules.
target_compile_definitions(lather_options INTERFACE
    _WIN32_WINNT=0x0602 WIN32_LEAN_AND_MEAN __USE_MINGW_ANSI_STDIO=1 LATHER_PRINTF_STYLE=gnu_printf)
# MinGW's isnan and its like are macros that convert to float in a branch not taken.
target_compile_options(lather_options INTERFACE -Wno-float-conversion)
# Names of files in UTF-8: win32/files.c, linked before the libraries that need it.
target_link_options(lather_options INTERFACE
    -Wl,--undefined=__wrap_fopen,--wrap=fopen,--wrap=freopen,--wrap=remove)
target_link_options(lather_options INTERFACE -Wl,--no-insert-timestamp) # the same bytes whenever it is linked
target_link_libraries(lather_dependencies INTERFACE bcrypt crypt32 psapi winmm ws2_32)

enable_language(RC)
set(lather_resources ${CMAKE_BINARY_DIR}/lather.rc)
configure_file(${CMAKE_SOURCE_DIR}/win32/lather.rc.in ${lather_resources} @ONLY)
set_property(SOURCE ${lather_resources} PROPERTY OBJECT_DEPENDS ${CMAKE_SOURCE_DIR}/win32/lather.manifest)
