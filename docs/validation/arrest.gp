set multiplot layout 1,2
set title "a heap at rest on level ground"
set xlabel "distance from the middle, m"
set ylabel "thickness, m"
set yrange [0:*]
plot "< grep ^flat, RESULTS/arrest.csv" using 2:3 with steps lw 2 lc rgb "#1f6fb2" title "run (critical thickness 2 m)", \
     "" using 2:4 with lines dt 2 lc rgb "#c0392b" title "Bingham, same volume and radius"
set title "what stays on a slope"
set xlabel "slope, degrees"
set xrange [0:41]
set yrange [0:4]
plot "< grep ^slope, RESULTS/arrest.csv" using 2:3 with points pt 7 lc rgb "#1f6fb2" title "greatest thickness at rest", \
     2 * cos(x * pi / 180) with lines lc rgb "#1f6fb2" title "the model's limit, 2 m · cos", \
     2 * sin(5 * pi / 180) / sin(x * pi / 180) with lines dt 2 lc rgb "#c0392b" title "Bingham, 2 m at 5 degrees"
