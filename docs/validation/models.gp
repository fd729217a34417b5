set style fill solid
set boxwidth 0.6
set yrange [0:0.8]
set ylabel "J with the outline of Etna 2006"
unset key
plot "RESULTS/models.csv" using 0:2:xtic(1) every ::1 with boxes lc rgb "#1f6fb2", \
     "" using 0:($2 + 0.03):2 every ::1 with labels
