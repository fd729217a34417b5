resident.o: src/resident/resident.cu src/resident/resident.h \
 src/common/sim/variant.h src/common/base/error.h src/common/sim/fields.h \
 src/common/sim/problem.h src/common/model/params.h src/resident/chip.h \
 src/resident/parts.h src/common/gpu/view.h \
 tests/emulator/cuda_emulator.h tests/emulator/race_detector.h \
 src/common/sim/grid.h src/common/model/physics.h \
 src/common/model/members.h src/common/model/lattice.h \
 src/common/model/lanes.h src/common/model/params.h \
 src/common/model/realmath.h src/resident/tiles.h src/resident/exchange.h \
 src/common/gpu/cell.h src/common/gpu/tile_list.h src/common/gpu/view.h \
 src/resident/panels.h src/common/gpu/host.h src/common/gpu/strategy.h \
 src/common/gpu/strategy.h
src/resident/resident.h:
src/common/sim/variant.h:
src/common/base/error.h:
src/common/sim/fields.h:
src/common/sim/problem.h:
src/common/model/params.h:
src/resident/chip.h:
src/resident/parts.h:
src/common/gpu/view.h:
tests/emulator/cuda_emulator.h:
tests/emulator/race_detector.h:
src/common/sim/grid.h:
src/common/model/physics.h:
src/common/model/members.h:
src/common/model/lattice.h:
src/common/model/lanes.h:
src/common/model/params.h:
src/common/model/realmath.h:
src/resident/tiles.h:
src/resident/exchange.h:
src/common/gpu/cell.h:
src/common/gpu/tile_list.h:
src/common/gpu/view.h:
src/resident/panels.h:
src/common/gpu/host.h:
src/common/gpu/strategy.h:
src/common/gpu/strategy.h:
