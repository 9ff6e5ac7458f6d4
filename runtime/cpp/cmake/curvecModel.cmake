# curvec_add_model(<target> <model.json>): a library of an emitted model. What links to it includes <target>.hpp from C++
# and <target>.h from C; the model is emitted again when its file changes. CURVEC_EXECUTABLE is the Python package's
# command.
function(curvec_add_model target model)
  find_program(CURVEC_EXECUTABLE curvec DOC "the command of the Python package curvec")
  if(NOT CURVEC_EXECUTABLE)
    message(FATAL_ERROR "curvec_add_model needs the command curvec: pip install curvec, or set CURVEC_EXECUTABLE")
  endif()
  get_filename_component(model "${model}" ABSOLUTE)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}_curvec")
  file(MAKE_DIRECTORY "${folder}")
  set(emit "${CURVEC_EXECUTABLE}" emit "${model}" --to cpp --namespace "${target}")
  add_custom_command(
    OUTPUT "${folder}/${target}.hpp" "${folder}/${target}.h" "${folder}/${target}.cpp"
    COMMAND ${emit} -o "${folder}/${target}.hpp"
    COMMAND ${emit} --c-header -o "${folder}/${target}.h"
    COMMAND ${emit} --c-interface -o "${folder}/${target}.cpp"
    DEPENDS "${model}" COMMENT "Emitting the model ${target}" VERBATIM)
  add_library(${target} STATIC "${folder}/${target}.cpp" "${folder}/${target}.hpp" "${folder}/${target}.h")
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PUBLIC "${folder}")
  target_link_libraries(${target} PUBLIC curvec::curvec)
endfunction()
