# What make install puts where. Nothing in the installed files names the prefix: it may be moved,
# and cmake --install --prefix may choose another one than the configuration did.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tally)

file(RELATIVE_PATH prefix_from_pc /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
string(REGEX REPLACE "/$" "" prefix_from_pc ${prefix_from_pc})
configure_file(tally.pc.in tally.pc @ONLY)
configure_file(cmake/tally-config.cmake.in tally-config.cmake COPYONLY)
write_basic_package_version_file(
    ${CMAKE_CURRENT_BINARY_DIR}/tally-config-version.cmake COMPATIBILITY ${compatibility})

install(TARGETS tally_static tally_shared EXPORT tally-targets)
install(TARGETS tally_command)
install(FILES include/tally.h TYPE INCLUDE)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tally.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(EXPORT tally-targets NAMESPACE tally:: DESTINATION ${package_dir})
install(FILES
    ${CMAKE_CURRENT_BINARY_DIR}/tally-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/tally-config-version.cmake
    DESTINATION ${package_dir})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tally.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/completion/tally
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES LICENSE TYPE DOC)
