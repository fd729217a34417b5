drawn.o: src/program/serve/drawn.c src/program/serve/serve.h \
 src/common/base/error.h src/common/base/lock.h src/common/base/clock.h \
 src/input/drawing/drawing.h src/input/case/case.h \
 src/input/eruption/emission.h src/input/eruption/rates.h \
 src/common/sim/problem.h src/common/model/params.h \
 src/common/sim/window.h src/input/eruption/vents.h \
 src/input/raster/georef.h src/input/vector/vectors.h \
 src/input/text/textfile.h src/input/text/warnings.h \
 src/input/case/case_terrain.h src/input/case/case_tiles.h \
 src/input/raster/raster.h src/common/sim/tile_map.h \
 src/common/sim/problem.h src/input/case/settings.h \
 src/input/case/schema.h src/input/text/keyvalue.h src/input/text/times.h \
 src/study/members/ensemble.h src/input/case/assets.h \
 src/study/plan/supply.h src/study/random/terrain_error.h \
 src/study/random/philox.h src/common/model/lanes.h \
 src/study/random/quantile.h src/common/model/realmath.h \
 src/common/model/lattice.h src/common/model/lanes.h \
 src/study/random/sampling.h src/study/verify/domain.h \
 src/study/members/statistics.h src/study/members/axis.h \
 src/study/verify/verify.h src/study/plan/plan.h \
 src/study/plan/distribution.h src/study/plan/variables.h \
 src/study/plan/member_table.h src/study/plan/choice.h \
 src/study/plan/rate_series.h src/study/plan/rate_history.h \
 src/study/plan/rate_shares.h src/output/restart/restart.h \
 src/output/restart/identity.h src/common/sim/fields.h \
 src/common/sim/sample.h src/study/plan/seen.h src/study/plan/sources.h \
 src/program/serve/ground.h src/program/serve/http.h include/sciara.h \
 src/library/inside.h src/common/sim/variant.h src/input/text/scan.h
src/program/serve/serve.h:
src/common/base/error.h:
src/common/base/lock.h:
src/common/base/clock.h:
src/input/drawing/drawing.h:
src/input/case/case.h:
src/input/eruption/emission.h:
src/input/eruption/rates.h:
src/common/sim/problem.h:
src/common/model/params.h:
src/common/sim/window.h:
src/input/eruption/vents.h:
src/input/raster/georef.h:
src/input/vector/vectors.h:
src/input/text/textfile.h:
src/input/text/warnings.h:
src/input/case/case_terrain.h:
src/input/case/case_tiles.h:
src/input/raster/raster.h:
src/common/sim/tile_map.h:
src/common/sim/problem.h:
src/input/case/settings.h:
src/input/case/schema.h:
src/input/text/keyvalue.h:
src/input/text/times.h:
src/study/members/ensemble.h:
src/input/case/assets.h:
src/study/plan/supply.h:
src/study/random/terrain_error.h:
src/study/random/philox.h:
src/common/model/lanes.h:
src/study/random/quantile.h:
src/common/model/realmath.h:
src/common/model/lattice.h:
src/common/model/lanes.h:
src/study/random/sampling.h:
src/study/verify/domain.h:
src/study/members/statistics.h:
src/study/members/axis.h:
src/study/verify/verify.h:
src/study/plan/plan.h:
src/study/plan/distribution.h:
src/study/plan/variables.h:
src/study/plan/member_table.h:
src/study/plan/choice.h:
src/study/plan/rate_series.h:
src/study/plan/rate_history.h:
src/study/plan/rate_shares.h:
src/output/restart/restart.h:
src/output/restart/identity.h:
src/common/sim/fields.h:
src/common/sim/sample.h:
src/study/plan/seen.h:
src/study/plan/sources.h:
src/program/serve/ground.h:
src/program/serve/http.h:
include/sciara.h:
src/library/inside.h:
src/common/sim/variant.h:
src/input/text/scan.h:
