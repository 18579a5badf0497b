# SPDX-License-Identifier: Apache-2.0
# An object rather than a library: linked first, it takes malloc's place for the whole program.
with_cmake -DMI_BUILD_SHARED=OFF -DMI_BUILD_OBJECT=ON -DMI_BUILD_TESTS=OFF -DMI_INSTALL_TOPLEVEL=ON
