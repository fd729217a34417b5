set multiplot layout 1,2
set logscale xy
set key bottom right
set xlabel "step"
set ylabel "length, m"
set title "5 degrees: length"
plot "< grep ^5,0.95 RESULTS/plane.csv" using 3:4 with linespoints pt 7 ps 0.6 lc rgb "#1f6fb2" title "relaxation rate 0.95", \
     "< grep ^5,0.1 RESULTS/plane.csv" using 3:4 with linespoints pt 5 ps 0.6 lc rgb "#2e8b57" title "0.1", \
     12 * x**(7.0/9) with lines dt 2 lc rgb "#c0392b" title "Lister: exponent 7/9"
set title "5 degrees: half width"
set key top left
set yrange [10:1000]
set ylabel "half width, m"
plot "< grep ^5,0.95 RESULTS/plane.csv" using 3:5 with linespoints pt 7 ps 0.6 lc rgb "#1f6fb2" title "relaxation rate 0.95", \
     "< grep ^5,0.1 RESULTS/plane.csv" using 3:5 with linespoints pt 5 ps 0.6 lc rgb "#2e8b57" title "0.1", \
     12 * x**(1.0/3) with lines dt 2 lc rgb "#c0392b" title "Lister: exponent 1/3"
