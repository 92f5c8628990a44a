# Odsmith in the place of mlir-tblgen, for projects that build against an installed MLIR.
#
#   find_package(MLIR REQUIRED CONFIG)
#   include(Odsmith)                 # after find_package, which names its own mlir-tblgen
#
# From there on mlir_tablegen, add_mlir_dialect, add_mlir_interface, add_mlir_doc and add_sharded_ops run odsmith.
# ODSMITH_EXECUTABLE names the binary where it is not on the PATH; ODSMITH_SERVER in the environment of the build has
# the work done by a server.
#
#   odsmith_fetch(<folder> SERVER <url> KEY <key> SHA256 <digest> [TOKEN <token>])
#
# unpacks a result of a server into a folder: its archive is named by its content, so that it is downloaded once and
# never changes. TOKEN is for a server that asks for one; by default, ODSMITH_TOKEN of the environment. KEY is the last part of the Content-Location that the server gave; SHA256 that of its .tar.gz.
include_guard(GLOBAL)

find_program(ODSMITH_EXECUTABLE odsmith)

if(ODSMITH_EXECUTABLE)
  # Called by this name, odsmith takes mlir-tblgen's arguments.
  set(MLIR_TABLEGEN_EXE "${CMAKE_BINARY_DIR}/odsmith/mlir-tblgen")
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/odsmith")
  file(CREATE_LINK "${ODSMITH_EXECUTABLE}" "${MLIR_TABLEGEN_EXE}" SYMBOLIC COPY_ON_ERROR)
  set(MLIR_TABLEGEN_TARGET "")
endif()

function(odsmith_fetch folder)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "SERVER;KEY;SHA256;TOKEN" "")
  foreach(needed SERVER KEY SHA256)
    if(NOT ARG_${needed})
      message(FATAL_ERROR "odsmith_fetch: ${needed} is missing")
    endif()
  endforeach()
  set(archive "${CMAKE_BINARY_DIR}/odsmith/${ARG_SHA256}.tar.gz")
  if(NOT ARG_TOKEN)
    set(ARG_TOKEN "$ENV{ODSMITH_TOKEN}")
  endif()
  set(token)
  if(ARG_TOKEN)
    set(token HTTPHEADER "Authorization: Bearer ${ARG_TOKEN}")
  endif()
  file(DOWNLOAD "${ARG_SERVER}/v1/results/${ARG_KEY}.tar.gz" "${archive}" EXPECTED_HASH SHA256=${ARG_SHA256} ${token})
  file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${folder}")
endfunction()
