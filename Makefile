# A thin front for CMake. The build proper is CMakeLists.txt; presets for CI's jobs are in
# CMakePresets.json.

BUILD  ?= build
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE  ?= cmake
FLAGS  ?=

MAKEFLAGS += --no-print-directory

.PHONY: all demo test install clean lint format fuzz configure

# FLAGS are for CMake: make FLAGS=-DTALLY_CUDA_ARCHITECTURES=native. TARGET is one thing to build.
# Under make -j the inner make takes its jobs from the outer one.
all: configure
	+@$(CMAKE) --build $(BUILD) $(if $(TARGET),--target $(TARGET)) \
	    $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,--parallel $(JOBS))

# Installs what is missing, builds the command, sums a real file and shows why that is not trivial.
demo:
	@scripts/packages.sh build
	@$(MAKE) all TARGET=tally_command
	@BUILD=$(BUILD) scripts/demo.sh

test:
	@scripts/packages.sh build test
	@$(MAKE) all TESTS=ON
	@cd $(BUILD) && ctest --output-on-failure --parallel $(JOBS) --no-tests=error

install: all
	@DESTDIR="$(DESTDIR)" $(CMAKE) --install $(BUILD) --prefix "$(PREFIX)"

lint:
	@scripts/lint.sh

format:
	@clang-format -i $$(scripts/lint.sh --list-c)

fuzz:
	@scripts/packages.sh build fuzz
	@scripts/fuzz.sh

clean:
	@$(CMAKE) -E rm -rf $(BUILD)

# Silent unless something is wrong. TESTS, once on in a build folder, stays on.
configure:
	@command -v $(CMAKE) >/dev/null || { \
	    echo "make: cmake is not installed. Install it with: scripts/packages.sh build" >&2; exit 1; }
	@$(CMAKE) -S . -B $(BUILD) $(if $(TESTS),-DTALLY_TESTS=$(TESTS)) $(FLAGS) --log-level=WARNING >/dev/null
