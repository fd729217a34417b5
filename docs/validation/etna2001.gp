set style fill solid
set boxwidth 0.5
set yrange [-0.5:6]
set ylabel "lava in the end beyond what was emitted, %"
unset key
plot "RESULTS/etna2001.csv" using 0:(100 * ($6 / $5 - 1)):xtic(sprintf("%s, %s", strcol(1), strcol(2))) every ::1 \
         with boxes lc rgb "#1f6fb2", \
     "" using 0:(100 * ($6 / $5 - 1) + 0.3):(sprintf("%.1f", 100 * ($6 / $5 - 1))) every ::1 with labels
