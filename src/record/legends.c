#include "legends.h"

const struct map_class legend_probability[LEGEND_PROBABILITY] = {
    {{250, 240, 170}, "up to 0.1 %", 0.001}, {{250, 214, 110}, "0.1 to 1 %", 0.01},
    {{247, 182, 62}, "1 to 5 %", 0.05},      {{240, 144, 36}, "5 to 10 %", 0.1},
    {{224, 104, 26}, "10 to 25 %", 0.25},    {{196, 62, 26}, "25 to 50 %", 0.5},
    {{150, 26, 30}, "50 to 75 %", 0.75},     {{118, 10, 66}, "75 to 90 %", 0.9},
    {{92, 8, 104}, "90 to 95 %", 0.95},      {{62, 14, 118}, "95 to 99 %", 0.99},
    {{26, 12, 74}, "above 99 %", 1},
};

const struct map_class legend_hazard[LEGEND_HAZARD + 1] = {
    {{255, 247, 188}, "very low, up to 0.01 %", 0.0001},
    {{254, 217, 118}, "low, 0.01 to 0.1 %", 0.001},
    {{253, 141, 60}, "moderate, 0.1 to 1 %", 0.01},
    {{227, 26, 28}, "high, 1 to 10 %", 0.1},
    {{128, 0, 38}, "very high, above 10 %", 1},
    {{170, 170, 170}, "not to be read: lava leaves the terrain", 2},
};

const struct map_class legend_change[LEGEND_CHANGE] = {
    MAP_CHANGE_CLASSES("1 to 5 less", -0.01, "as before", 0.01, "1 to 5 points more")};
