set xlabel "run-out, m"
set ylabel "J with the outline"
set key bottom left
plot for [n in "0.0001 0.01 1"] "< grep ^".n.", RESULTS/noise.csv" using 4:3 with points pt 7 title "terrain error ".n." m"
