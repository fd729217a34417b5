set xlabel "step (120 s)"
set ylabel "temperature, K"
set yrange [1140:1365]
plot for [h in "1 2 5"] "< grep '^".h.",[0-9]' RESULTS/cooling.csv" using 2:4 with lines lw 2 lc rgb "#bbbbbb" \
         title h." m: closed form", \
     for [h in "1 2 5"] "< grep '^".h.",[0-9]' RESULTS/cooling.csv | awk 'NR % 3 == 0'" using 2:3 with points pt 7 ps 0.7 \
         title h." m: run"
