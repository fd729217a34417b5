set style fill solid
set boxwidth 0.5
set yrange [0:1.1]
unset key
set ylabel "J of two footprints"
$shares << END
exact and published,OVERLAP
exact and outline,EXACT
published and outline,PUBLISHED
END
plot $shares using 0:2:xtic(1) with boxes lc rgb "#1f6fb2", "" using 0:($2 + 0.05):2 with labels
