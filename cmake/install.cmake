# What `cmake --install` puts down: the shared library, its headers, two ways to find it, documentation and examples. Every dependency is
# private to the library, so neither way asks its user for one; only core/eigen.h, for those who include it, wants Eigen.
include(CMakePackageConfigHelpers)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/unroll)
set(generated_directory ${CMAKE_CURRENT_BINARY_DIR}/package)

install(TARGETS unroll EXPORT unroll_targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/unroll DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE README.md CHANGELOG.md HACKING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "*.py" EXCLUDE PATTERN pictures EXCLUDE)
install(DIRECTORY data DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.cpp" PATTERN "*.py")

# find_package(unroll 0.1). Before 1.0 a minor version may break its users, as the SOVERSION says too.
install(EXPORT unroll_targets NAMESPACE unroll:: FILE unrollTargets.cmake DESTINATION ${package_directory})
configure_package_config_file(cmake/unrollConfig.cmake.in ${generated_directory}/unrollConfig.cmake
  INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${generated_directory}/unrollConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${generated_directory}/unrollConfig.cmake ${generated_directory}/unrollConfigVersion.cmake
  DESTINATION ${package_directory})

# pkg-config --cflags --libs unroll. Its paths are relative to the file, so that an installed tree can be moved.
set(pkgconfig_directory ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pkgconfig_to_prefix /${pkgconfig_directory} /)
configure_file(cmake/unroll.pc.in ${generated_directory}/unroll.pc @ONLY)
install(FILES ${generated_directory}/unroll.pc DESTINATION ${pkgconfig_directory})
