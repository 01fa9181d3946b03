# What another project gets: the headers, the library, find_package(sla) with sla::marker, and pkg-config sla-marker.
include(CMakePackageConfigHelpers)

set(sla_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sla)
set(sla_pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES include/sla/marker.h include/sla/macros.h include/sla/write.h include/sla/count.h include/sla/moment.h ${CMAKE_SOURCE_DIR}/proto/ring/include/sla/ring_abi.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sla COMPONENT libsla-marker-dev)
install(TARGETS sla_marker EXPORT sla-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libsla-marker-dev)
install(EXPORT sla-targets NAMESPACE sla:: DESTINATION ${sla_package_dir} COMPONENT libsla-marker-dev)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/sla-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/sla-config.cmake
  INSTALL_DESTINATION ${sla_package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/sla-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sla-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/sla-config-version.cmake
  DESTINATION ${sla_package_dir} COMPONENT libsla-marker-dev)

# The way from the .pc file up to the prefix, so that the installed tree may be moved.
file(RELATIVE_PATH SLA_PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/sla-marker.pc.in ${CMAKE_CURRENT_BINARY_DIR}/sla-marker.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sla-marker.pc DESTINATION ${sla_pkgconfig_dir} COMPONENT libsla-marker-dev)
