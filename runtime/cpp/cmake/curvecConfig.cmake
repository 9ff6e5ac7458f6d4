# find_package(curvec) -> curvec::curvec: headers only, C++17.
# The folder of the headers, as the wheel, the source tree and an installation have it.
include("${CMAKE_CURRENT_LIST_DIR}/curvecInstalled.cmake" OPTIONAL)  # where an installation put them, if elsewhere
foreach(_curvec_folder ${_curvec_installed} ../include ../../../include)
  get_filename_component(_curvec_include "${_curvec_folder}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_LIST_DIR}")
  if(EXISTS "${_curvec_include}/curvec/curvec.hpp")
    break()
  endif()
endforeach()

if(NOT TARGET curvec::curvec)
  add_library(curvec::curvec INTERFACE IMPORTED)
  set_target_properties(curvec::curvec PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_curvec_include}"
    INTERFACE_COMPILE_FEATURES cxx_std_17)
endif()
unset(_curvec_include)
unset(_curvec_installed)
include("${CMAKE_CURRENT_LIST_DIR}/curvecModel.cmake")
