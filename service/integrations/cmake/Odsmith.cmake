# Odsmith in the place of mlir-tblgen, for projects that build against an installed MLIR.
#
#   find_package(MLIR REQUIRED CONFIG)
#   include(Odsmith)                 # after find_package, which names its own mlir-tblgen
#
# After that mlir_tablegen, add_mlir_dialect, add_mlir_interface, add_mlir_doc and add_sharded_ops run odsmith. For a
# project that must stay unchanged, `odsmith cmake-shim <folder>` and -DMLIR_DIR=<folder> do the same.
#
# ODSMITH_EXECUTABLE names the binary if it is not on the PATH. If there is none, or if it does not support the release
# of MLIR, MLIR's own mlir-tblgen is used, unless ODSMITH_REQUIRED is set. With ODSMITH_SERVER in the environment of the
# build, that server does the work.
#
#   odsmith_generate(<target> DEFINITIONS <file.td> OUTPUT <file> <flag>… [OUTPUT <file> <flag>…]…
#                    [INCLUDES <folder>…] [DEPENDS <target or file>…])
#
# makes all outputs of a file in one job, in the folder of the build that belongs to this one. <target> is what
# add_public_tablegen_target would make: libraries name it in DEPENDS.
#
#   odsmith_fetch(<folder> SERVER <url> KEY <key> SHA256 <digest> [TOKEN <token>])
#
# unpacks a result of a server into a folder. Its archive is named by its content, so that it is downloaded once and
# never changes. TOKEN is for a server that requires one; the default is ODSMITH_TOKEN of the environment. KEY is the
# last part of the Content-Location that the server returned; SHA256 is the digest of its .tar.gz.

# The commands of a function have the policies of its definition: depfiles name files by absolute paths, whatever the
# project says.
if(POLICY CMP0116)
  cmake_policy(SET CMP0116 NEW)
endif()

find_program(ODSMITH_EXECUTABLE odsmith)

# Reports that odsmith is not available: an error only if it is required.
function(odsmith_refuse reason)
  if(ODSMITH_REQUIRED)
    message(FATAL_ERROR "Odsmith: ${reason}")
  endif()
  message(WARNING "Odsmith: ${reason}: MLIR's own mlir-tblgen stays")
endfunction()

set(ODSMITH_FOUND FALSE)
if(NOT ODSMITH_EXECUTABLE OR NOT EXISTS "${ODSMITH_EXECUTABLE}")
  if(NOT CMAKE_SCRIPT_MODE_FILE)
    odsmith_refuse("the program odsmith was not found; ODSMITH_EXECUTABLE names it")
  endif()
else()
  # Called by this name, odsmith takes mlir-tblgen's arguments.
  set(odsmith_link "${CMAKE_BINARY_DIR}/odsmith/mlir-tblgen")
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/odsmith")
  file(CREATE_LINK "${ODSMITH_EXECUTABLE}" "${odsmith_link}" SYMBOLIC COPY_ON_ERROR)
  file(WRITE "${CMAKE_BINARY_DIR}/odsmith/empty.td" "")
  set(odsmith_error "")
  set(odsmith_status 0)
  if(LLVM_VERSION_MAJOR)
    execute_process(
      COMMAND "${ODSMITH_EXECUTABLE}" tblgen --mlir=${LLVM_VERSION_MAJOR} --null-backend
              "${CMAKE_BINARY_DIR}/odsmith/empty.td"
      RESULT_VARIABLE odsmith_status ERROR_VARIABLE odsmith_error OUTPUT_QUIET)
  endif()
  if(NOT odsmith_status EQUAL 0 OR NOT odsmith_error STREQUAL "")
    string(STRIP "${odsmith_error}" odsmith_error)
    odsmith_refuse("${ODSMITH_EXECUTABLE} does not know MLIR ${LLVM_VERSION_MAJOR} (${odsmith_error})")
  else()
    set(ODSMITH_FOUND TRUE)
    set(MLIR_TABLEGEN_EXE "${odsmith_link}")
    set(MLIR_TABLEGEN_TARGET "")
    get_property(odsmith_was_said GLOBAL PROPERTY ODSMITH_WAS_SAID)
    if(NOT odsmith_was_said AND NOT CMAKE_SCRIPT_MODE_FILE)
      message(STATUS "Odsmith in the place of mlir-tblgen ${LLVM_VERSION_MAJOR}: ${ODSMITH_EXECUTABLE}")
      set_property(GLOBAL PROPERTY ODSMITH_WAS_SAID TRUE)
    endif()
  endif()
endif()

function(odsmith_generate target)
  if(NOT ODSMITH_FOUND)
    message(FATAL_ERROR "odsmith_generate: odsmith was not found")
  endif()
  set(keywords DEFINITIONS OUTPUT INCLUDES DEPENDS)
  set(keyword "")
  set(count 0)
  foreach(word IN LISTS ARGN)
    if(word IN_LIST keywords)
      set(keyword ${word})
      if(word STREQUAL "OUTPUT")
        math(EXPR count "${count} + 1")
      endif()
    elseif(keyword STREQUAL "OUTPUT")
      list(APPEND output_${count} "${word}")
    elseif(keyword)
      list(APPEND given_${keyword} "${word}")
    else()
      message(FATAL_ERROR "odsmith_generate: '${word}' comes before DEFINITIONS and OUTPUT")
    endif()
  endforeach()
  list(LENGTH given_DEFINITIONS definitions)
  if(NOT definitions EQUAL 1 OR count EQUAL 0)
    message(FATAL_ERROR "odsmith_generate: one file after DEFINITIONS and one OUTPUT at least are needed")
  endif()
  get_filename_component(td "${given_DEFINITIONS}" ABSOLUTE)
  file(RELATIVE_PATH td_below "${CMAKE_SOURCE_DIR}" "${td}")
  if(td_below MATCHES "^\\.\\./" OR IS_ABSOLUTE "${td_below}")
    message(FATAL_ERROR "odsmith_generate: ${td} lies outside of ${CMAKE_SOURCE_DIR}")
  endif()

  # The folders of mlir_tablegen, in its order.
  get_directory_property(folders INCLUDE_DIRECTORIES)
  set(folders "${CMAKE_CURRENT_SOURCE_DIR}" ${given_INCLUDES} ${folders})
  list(REMOVE_DUPLICATES folders)
  set(includes)
  foreach(folder IN LISTS folders)
    get_filename_component(folder "${folder}" ABSOLUTE)
    if(IS_DIRECTORY "${folder}")
      list(APPEND includes -I "${folder}")
    endif()
  endforeach()

  set(manifest "schema = 1\n[[target]]\ntd = '${td_below}'\noutputs = [\n")
  set(outputs)
  foreach(index RANGE 1 ${count})
    list(POP_FRONT output_${index} name)
    if(NOT name)
      message(FATAL_ERROR "odsmith_generate: a file is missing after OUTPUT")
    endif()
    set(flags ${output_${index}} ${LLVM_TABLEGEN_FLAGS})
    list(TRANSFORM flags REPLACE "(.+)" "'\\1'")
    list(JOIN flags ", " flags)
    string(APPEND manifest "  { path = '${name}', flags = [${flags}] },\n")
    list(APPEND outputs "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  endforeach()
  string(APPEND manifest "]\n")
  set(manifest_file "${CMAKE_CURRENT_BINARY_DIR}/${target}.odsmith.toml")
  file(CONFIGURE OUTPUT "${manifest_file}" CONTENT "${manifest}" @ONLY)

  set(depfile "${CMAKE_CURRENT_BINARY_DIR}/${target}.odsmith.d")
  set(depfile_arguments)
  if(CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    set(depfile_arguments DEPFILE "${depfile}")
  endif()
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND "${ODSMITH_EXECUTABLE}" generate "${CMAKE_SOURCE_DIR}" --manifest "${manifest_file}" ${includes}
            --outputs-only --out "${CMAKE_CURRENT_BINARY_DIR}" --depfile "${depfile}"
    DEPENDS "${td}" "${manifest_file}" "${ODSMITH_EXECUTABLE}" ${given_DEPENDS}
    ${depfile_arguments}
    COMMENT "Generating from ${td_below}..."
    VERBATIM)
  set_source_files_properties(${outputs} PROPERTIES GENERATED TRUE)
  add_custom_target(${target} DEPENDS ${outputs})
  # Libraries of LLVM's functions depend on the targets in this list.
  set(LLVM_COMMON_DEPENDS ${LLVM_COMMON_DEPENDS} ${target} PARENT_SCOPE)
endfunction()

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
