# The backends cuda and hip: modules that the core loads when they are asked for (src/module.c).
#
# Built where nvcc or hipcc is found: on PATH, under CUDA_HOME or ROCM_PATH, or in the vendor's usual
# place. No CMake language is enabled for them, since the vendors' compilers build host code, too.

set(TALLY_CUDA AUTO CACHE STRING "Build the backend cuda: ON, OFF, or AUTO (where nvcc is found)")
set(TALLY_HIP AUTO CACHE STRING "Build the backend hip: ON, OFF, or AUTO (where hipcc is found)")
set(TALLY_CUDA_ARCHITECTURES "75;80;86;89;90;100;120" CACHE STRING
    "Compute capabilities of the backend cuda; the last one also as PTX. native: of this machine's GPU")
set(TALLY_HIP_ARCHITECTURES "" CACHE STRING
    "gfx targets of the backend hip; empty: those that the installed compiler takes, of a usual list")

find_program(TALLY_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
find_program(TALLY_HIPCC hipcc HINTS ENV ROCM_PATH PATHS /opt/rocm PATH_SUFFIXES bin)

# Whether to build one: says in "result" yes or no, and stops where ON cannot be had.
function(tally_wants_module option compiler result)
    if(${option} STREQUAL "AUTO")
        set(${option} ${${compiler}})
    elseif(${option} AND NOT ${compiler})
        message(FATAL_ERROR "${option} is ON, but its compiler was not found: set ${compiler}, or PATH")
    endif()
    if(${option})
        set(${result} ON PARENT_SCOPE)
    else()
        set(${result} OFF PARENT_SCOPE)
    endif()
endfunction()

# tally_gpu_module(NAME COMPILER compiler FLAGS flags LINK flags): libtally-NAME.so from src/gpu. One
# object for each element type, so that they compile side by side.
function(tally_gpu_module name)
    cmake_parse_arguments(PARSE_ARGV 1 m "" "COMPILER" "FLAGS;LINK")
    set(directory ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/tally-${name}.dir)
    set(module ${CMAKE_CURRENT_BINARY_DIR}/libtally-${name}.so)
    file(MAKE_DIRECTORY ${directory})
    set(objects)
    foreach(unit IN ITEMS gpu F16 BF16 F32 F64 I32 I64)
        set(source ${PROJECT_SOURCE_DIR}/src/gpu/tree_type.cu)
        if(unit STREQUAL "gpu")
            set(source ${PROJECT_SOURCE_DIR}/src/gpu/gpu.cu)
        endif()
        set(object ${directory}/${unit}.o)
        add_custom_command(
            OUTPUT ${object}
            COMMAND ${m_COMPILER} ${m_FLAGS} -std=c++17 -O3 -DTREE_TYPE=TALLY_TYPE_${unit}
                -I ${PROJECT_SOURCE_DIR}/include -I ${PROJECT_SOURCE_DIR}/src
                -MD -MF ${object}.d -c ${source} -o ${object}
            DEPENDS ${source}
            DEPFILE ${object}.d
            COMMENT "Building ${name} object ${unit}"
            VERBATIM)
        list(APPEND objects ${object})
    endforeach()
    add_custom_command(
        OUTPUT ${module}
        COMMAND ${m_COMPILER} -shared -o ${module} ${objects} $<TARGET_OBJECTS:tally_module_core> ${m_LINK}
        DEPENDS ${objects} tally_module_core $<TARGET_OBJECTS:tally_module_core>
        COMMAND_EXPAND_LISTS
        COMMENT "Linking libtally-${name}.so"
        VERBATIM)
    add_custom_target(tally_${name} ALL DEPENDS ${module})
    install(FILES ${module} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# tally_cuda_program(NAME source): a program for the device, linked with libtally.a.
function(tally_cuda_program name source)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.o)
    add_custom_command(
        OUTPUT ${name}
        COMMAND ${TALLY_NVCC} ${cuda_targets} ${cuda_flags} -std=c++17 -O3
            -I ${PROJECT_SOURCE_DIR}/include -MD -MF ${object}.d
            -c ${PROJECT_SOURCE_DIR}/${source} -o ${object}
        COMMAND ${TALLY_NVCC} ${object} $<TARGET_FILE:tally_static> -o ${name} -cudart=static
        DEPENDS ${source} tally_static
        DEPFILE ${object}.d
        COMMENT "Building the CUDA program ${name}"
        VERBATIM)
    add_custom_target(${name}_program ${ARGN} DEPENDS ${name})
    add_dependencies(${name}_program tally_cuda)
endfunction()

tally_wants_module(TALLY_CUDA TALLY_NVCC build_cuda)
tally_wants_module(TALLY_HIP TALLY_HIPCC build_hip)
if(NOT build_cuda AND NOT build_hip)
    return()
endif()

# What the modules share with the core: two tables, with nothing in them to be seen from outside.
add_library(tally_module_core OBJECT src/op.c src/plan.c)
target_include_directories(tally_module_core PRIVATE include src)
target_compile_definitions(tally_module_core PRIVATE "TALLY_API=")
set_target_properties(tally_module_core PROPERTIES POSITION_INDEPENDENT_CODE ON)
tally_compile_options(tally_module_core)

# Floating point exactly as written: no contraction to FMA, subnormals kept. Hidden symbols, also
# those of the runtime that is linked in.
if(build_cuda)
    set(cuda_targets)
    if(TALLY_CUDA_ARCHITECTURES STREQUAL "native")
        set(cuda_targets -arch=native)
    else()
        foreach(arch IN LISTS TALLY_CUDA_ARCHITECTURES)
            list(APPEND cuda_targets -gencode=arch=compute_${arch},code=sm_${arch})
        endforeach()
        list(GET TALLY_CUDA_ARCHITECTURES -1 newest)
        list(APPEND cuda_targets -gencode=arch=compute_${newest},code=compute_${newest})
    endif()
    set(cuda_flags -fmad=false -ftz=false -prec-div=true -prec-sqrt=true
        -Xcompiler=-fPIC,-fvisibility=hidden,-Wall,-Wextra)
    if(TALLY_WERROR)
        list(APPEND cuda_flags -Werror=all-warnings)
    endif()
    tally_gpu_module(cuda COMPILER ${TALLY_NVCC}
        FLAGS ${cuda_targets} ${cuda_flags}
        LINK -cudart=static -Xlinker=--as-needed,--exclude-libs,ALL,-z,defs)
endif()
if(build_cuda)
    # What needs a device to run: bench/gpu.sh asks for both.
    set(with_tests)
    if(TALLY_TESTS)
        set(with_tests ALL)
    endif()
    tally_cuda_program(test_device tests/test_device.cu ${with_tests})
    tally_cuda_program(bench_gpu_tree bench/gpu/tree.cu)
endif()
if(build_hip)
    # Older compilers know fewer targets: each is tried once.
    if(NOT TALLY_HIP_ARCHITECTURES)
        file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/try.hip "#include <hip/hip_runtime.h>\n__global__ void nothing() {}\n")
        set(found)
        foreach(arch IN ITEMS gfx906 gfx908 gfx90a gfx942 gfx1030 gfx1100 gfx1101 gfx1200 gfx1201)
            execute_process(
                COMMAND ${TALLY_HIPCC} -xhip --offload-arch=${arch} -c try.hip -o try.o
                WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles
                RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
            if(NOT failed)
                list(APPEND found ${arch})
            endif()
        endforeach()
        if(NOT found)
            message(FATAL_ERROR "${TALLY_HIPCC} compiles for no target that is known here: "
                "set TALLY_HIP_ARCHITECTURES, or TALLY_HIP=OFF")
        endif()
        set_property(CACHE TALLY_HIP_ARCHITECTURES PROPERTY VALUE ${found})
        message(STATUS "The backend hip is built for: ${found}")
    endif()
    list(TRANSFORM TALLY_HIP_ARCHITECTURES PREPEND --offload-arch= OUTPUT_VARIABLE targets)
    set(hip_flags -ffp-contract=off -fPIC -fvisibility=hidden -Wall -Wextra)
    if(TALLY_WERROR)
        list(APPEND hip_flags -Werror)
    endif()
    tally_gpu_module(hip COMPILER ${TALLY_HIPCC}
        FLAGS -xhip ${targets} ${hip_flags}
        LINK ${targets} -Wl,--exclude-libs,ALL)
endif()
