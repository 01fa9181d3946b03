# What cpack makes: one Debian package a component; the programs and the library they hold name theirs where they are installed.
install(FILES viewer/desktop/sla-viewer.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT sla-viewer)
install(FILES viewer/desktop/sla-viewer.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT sla-viewer)
install(FILES viewer/desktop/sla-viewer.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT sla-viewer)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(SLA_PACKAGE_CONTACT "SLA <sla@localhost.localdomain>" CACHE STRING "Name and address of who makes the packages")
set(CPACK_PACKAGE_CONTACT "${SLA_PACKAGE_CONTACT}")
set(CPACK_COMPONENTS_ALL sla sla-viewer sla-emu libsla-marker-dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# Files below one folder only, whatever the umask of who packs.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# Debian's rules want a changelog in each, packed without a time.
set(changelog ${CMAKE_BINARY_DIR}/generated/changelog)
file(WRITE ${changelog} "sla (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * Version ${PROJECT_VERSION}.\n\n"
  " -- ${CPACK_PACKAGE_CONTACT}  Sat, 01 Jan 2022 00:00:00 +0000\n")
execute_process(COMMAND gzip -9nf ${changelog} COMMAND_ERROR_IS_FATAL ANY)

# sla_package(component summary text)
macro(sla_package component summary text)
  string(TOUPPER ${component} name)
  set(CPACK_DEBIAN_${name}_PACKAGE_NAME ${component})
  set(CPACK_COMPONENT_${name}_DESCRIPTION "${summary}\n${text}")
  install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${component} RENAME copyright
    COMPONENT ${component})
  install(FILES ${changelog}.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${component} COMPONENT ${component})
endmacro()
sla_package(sla "soft logic analyzer: agent and command line"
  "Collects the events of marked programs, records, tabulates, exports and checks them.")
sla_package(sla-viewer "soft logic analyzer: window" "Shows events of agents and captures as lanes with cursors and a delta-time table.")
sla_package(sla-emu "soft logic analyzer: emulated PC" "Shows interrupts, port accesses and halts of an unchanged guest as channels.")
sla_package(libsla-marker-dev "soft logic analyzer: markers for C and C++"
  "Headers and static library with which programs mark what they do.")
set(CPACK_DEBIAN_SLA-VIEWER_PACKAGE_DEPENDS "fonts-dejavu-core")
set(CPACK_DEBIAN_SLA-VIEWER_PACKAGE_RECOMMENDS "fonts-droid-fallback")  # names in Chinese, Japanese and Korean
set(CPACK_DEBIAN_SLA_PACKAGE_DEPENDS "python3")  # for the module sla_capture
set(CPACK_DEBIAN_SLA_PACKAGE_RECOMMENDS "sla-viewer, python3-protobuf, python3-zstandard, trace-cmd")
set(CPACK_DEBIAN_LIBSLA-MARKER-DEV_PACKAGE_SECTION libdevel)
include(CPack)
