set multiplot layout 1,2
set key top left
set xlabel "distance from the top, m"
set ylabel "steps"
set title "critical thickness 0.01 m"
set xrange [0:1450]
plot "< grep ^0.01, RESULTS/pyramid.csv" using ($2*10):3 with lines lw 2 lc rgb "#1f6fb2" title "axis", \
     "" using ($2*14.1421356):4 with lines lw 2 lc rgb "#c0392b" title "diagonal", \
     "" using ($2*14.1421356):($3*sqrt(2)) with lines dt 2 lc rgb "#777777" title "diagonal, at the axis' speed in metres"
set title "critical thickness 1.5 m (Etna 2006)"
plot "< grep ^1.5, RESULTS/pyramid.csv" using ($2*10):3 with lines lw 2 lc rgb "#1f6fb2" title "axis", \
     "" using ($2*14.1421356):4 with lines lw 2 lc rgb "#c0392b" title "diagonal"
