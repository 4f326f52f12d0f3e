# How every C file of the project is compiled.

if(TALLY_SANITIZE)
    add_compile_options(-fsanitize=${TALLY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${TALLY_SANITIZE})
endif()
if(TALLY_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
        message(FATAL_ERROR "TALLY_FUZZ needs clang: cmake --preset fuzz")
    endif()
    # Coverage for all code; the fuzz targets themselves also link libFuzzer's main().
    add_compile_options(-fsanitize=fuzzer-no-link)
    add_link_options(-fsanitize=fuzzer-no-link)
endif()

# C11, floating point exactly as written, hidden symbols, the warnings that CI turns into errors.
function(tally_compile_options target)
    set_target_properties(${target} PROPERTIES
        C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden)
    target_compile_options(${target} PRIVATE
        -ffp-contract=off
        -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla
        $<$<BOOL:${TALLY_WERROR}>:-Werror>)
endfunction()

# The model's C++17: the same, and without what would need a C++ library at run time. Reports name
# source files from the project's root on.
function(tally_model_compile_options target)
    set_target_properties(${target} PROPERTIES
        CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden)
    target_compile_options(${target} PRIVATE
        -ffp-contract=off -fno-math-errno -fno-exceptions -fno-rtti -fno-threadsafe-statics
        -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
        -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wvla
        $<$<BOOL:${TALLY_WERROR}>:-Werror>)
    # These two checks need the C++ library, which is not linked.
    if(TALLY_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        target_compile_options(${target} PRIVATE -fno-sanitize=function,vptr)
    endif()
endfunction()
