// words.js: the texts of the pages, a row each, in the order of LANGUAGES. English is what scripts and HTML have; a text without a
// row stays English. A translator changes words between the bars; each {} is a number or a name, and stays.

const LANGUAGES = {
    en: "English",
    it: "Italiano",
    es: "Español",
    fr: "Français",
    is: "Íslenska"
};
const WORDS = `
Dark | Scuro | Oscuro | Sombre | Dökkt
Light | Chiaro | Claro | Clair | Ljóst
A script in this file draws the map and the charts. Please allow scripts for this file; it uses no network. | Uno script in questo file disegna la mappa e i grafici. Consenti gli script per questo file; non usa la rete. | Un script de este archivo dibuja el mapa y los gráficos. Permita los scripts para este archivo; no usa la red. | Un script de ce fichier dessine la carte et les graphiques. Autorisez les scripts pour ce fichier ; il n'utilise pas le réseau. | Skrifta í þessari skrá teiknar kortið og línuritin. Leyfðu skriftur fyrir hana; hún notar ekkert net.
Map | Mappa | Mapa | Carte | Kort
Charts | Grafici | Gráficos | Graphiques | Línurit
What the results mean | Che cosa significano i risultati | Qué significan los resultados | Ce que signifient les résultats | Hvað niðurstöðurnar þýða
Numbers | Numeri | Números | Nombres | Tölur
How to cite | Come citare | Cómo citar | Comment citer | Tilvísanir
Made by Sciara from the files of its folder. Those files are the record; this page rounds their numbers for display. | Prodotto da Sciara dai file della sua cartella. Fanno fede quei file; questa pagina ne arrotonda i numeri. | Hecho por Sciara con los archivos de su carpeta. Esos archivos son el registro; esta página redondea sus números. | Produit par Sciara à partir des fichiers de son dossier. Ces fichiers font foi ; cette page arrondit leurs nombres. | Gert af Sciara úr skrám möppunnar. Þær skrár gilda; síðan námundar tölur þeirra.
Key figures | Cifre principali | Cifras principales | Chiffres clés | Lykiltölur
Play | Avvia | Reproducir | Lecture | Spila
Pause | Pausa | Pausa | Pause | Hlé
Time since the start of the eruption | Tempo dall'inizio dell'eruzione | Tiempo desde el inicio de la erupción | Temps depuis le début de l'éruption | Tími frá upphafi gossins
Speed | Velocità | Velocidad | Vitesse | Hraði
Layer | Strato | Capa | Couche | Lag
Show | Mostra | Mostrar | Afficher | Sýna
At the pointer | Sotto il puntatore | Bajo el puntero | Sous le pointeur | Við bendilinn
Drag to move, click and scroll or pinch to zoom. Keys: arrows move a cursor over cells (with Shift, ten), + and − zoom, 0 shows all, Space plays. | Trascina per spostare, clicca e usa la rotella o due dita per ingrandire. Tasti: le frecce muovono un cursore sulle celle (con Maiusc, dieci), + e − ingrandiscono e riducono, 0 mostra tutto, Spazio avvia. | Arrastre para mover; haga clic y use la rueda o dos dedos para ampliar. Teclas: las flechas mueven un cursor por las celdas (con Mayús, diez), + y − amplían y reducen, 0 muestra todo, Espacio reproduce. | Glissez pour déplacer, cliquez puis molette ou pincement pour zoomer. Touches : les flèches déplacent un curseur (avec Maj, dix cellules), + et − zooment, 0 montre tout, Espace lit. | Dragðu til að færa, smelltu og skrollaðu eða notaðu tvo fingur til að þysja. Lyklar: örvar færa bendil um reiti (með Shift, tíu), + og − þysja, 0 sýnir allt, bilslá spilar.
Keys: S, V, F, W, C and P choose a tool; arrows move a cursor over cells (with Shift, ten) and Enter draws there; Delete removes, Ctrl and arrows move what is selected, N chooses a point of it, Insert adds one; Ctrl+Z undoes, R runs, + and − zoom, 0 shows all, Space plays. | Tasti: S, V, F, W, C e P scelgono uno strumento; le frecce muovono un cursore sulle celle (con Maiusc, dieci) e Invio disegna lì; Canc elimina, Ctrl e le frecce spostano ciò che è scelto, N ne sceglie un punto, Ins ne aggiunge uno; Ctrl+Z annulla, R simula, + e − ingrandiscono e riducono, 0 mostra tutto, Spazio avvia. | Teclas: S, V, F, W, C y P eligen una herramienta; las flechas mueven un cursor por las celdas (con Mayús, diez) e Intro dibuja allí; Supr borra, Ctrl y las flechas mueven lo elegido, N elige un punto de ello, Insert añade uno; Ctrl+Z deshace, R simula, + y − amplían y reducen, 0 muestra todo, Espacio reproduce. | Touches : S, V, F, W, C et P choisissent un outil ; les flèches déplacent un curseur (avec Maj, dix cellules) et Entrée dessine là ; Suppr supprime, Ctrl et les flèches déplacent ce qui est choisi, N en choisit un point, Inser en ajoute un ; Ctrl+Z annule, R simule, + et − zooment, 0 montre tout, Espace lit. | Lyklar: S, V, F, W, C og P velja verkfæri; örvar færa bendil um reiti (með Shift, tíu) og Enter teiknar þar; Delete eyðir, Ctrl og örvar færa það sem er valið, N velur punkt þess, Insert bætir einum við; Ctrl+Z afturkallar, R reiknar, + og − þysja, 0 sýnir allt, bilslá spilar.
Map of the lava | Mappa della lava | Mapa de la lava | Carte de la lave | Kort af hrauninu
Zoom in | Ingrandisci | Acercar | Zoom avant | Þysja inn
Zoom out | Riduci | Alejar | Zoom arrière | Þysja út
Show all of the lava | Mostra tutta la lava | Mostrar toda la lava | Montrer toute la lave | Sýna allt hraunið
Scale bar | Barra della scala | Barra de escala | Échelle | Kvarði
Layers and values | Strati e valori | Capas y valores | Couches et valeurs | Lög og gildi
Select | Scegli | Elegir | Choisir | Velja
Vent | Bocca | Boca | Bouche | Gosop
Fissure | Fessura | Fisura | Fissure | Sprunga
Wall | Argine | Muro | Digue | Garður
Channel | Canale | Canal | Chenal | Rás
Place | Luogo | Lugar | Lieu | Staður
Run | Simula | Simular | Simuler | Reikna
Stop | Ferma | Parar | Arrêter | Stöðva
Live | Dal vivo | En vivo | En direct | Jafnóðum
Eruption | Eruzione | Erupción | Éruption | Eldgos
Parameters | Parametri | Parámetros | Paramètres | Stikar
Time, days | Tempo, giorni | Tiempo, días | Durée, jours | Tími, dagar
Rates | Portate | Tasas | Débits | Flæði
Ensemble | Insieme di simulazioni | Conjunto | Ensemble | Keyrslusafn
Many runs with uncertain rates, lava, vents and terrain: how probable is lava where? | Molte simulazioni con portate, lava, bocche e terreno incerti: dove e con quale probabilità arriva la lava? | Muchas simulaciones con tasas, lava, bocas y terreno inciertos: ¿dónde y con qué probabilidad llega la lava? | De nombreuses simulations avec débits, lave, bouches et terrain incertains : où la lave est-elle probable ? | Margar keyrslur með óvissu í flæði, hrauni, gosopum og landi: hvar er hraun líklegt?
Members | Membri | Miembros | Membres | Keyrslur
With and without barriers | Con e senza barriere | Con y sin barreras | Avec et sans barrières | Með og án varnargarða
Start | Avvia | Empezar | Démarrer | Byrja
Resume | Riprendi | Continuar | Reprendre | Halda áfram
Library | Archivio | Biblioteca | Bibliothèque | Safn
Side by side | Confronto | Lado a lado | Côte à côte | Hlið við hlið
Keep this result | Tieni questo risultato | Guardar este resultado | Garder ce résultat | Geyma þessa niðurstöðu
Kept on the left, present on the right | Tenuto a sinistra, attuale a destra | Guardado a la izquierda, actual a la derecha | Gardé à gauche, actuel à droite | Geymt til vinstri, núverandi til hægri
Show the difference | Mostra la differenza | Mostrar la diferencia | Montrer la différence | Sýna muninn
Save and export | Salva ed esporta | Guardar y exportar | Enregistrer et exporter | Vista og flytja út
Name | Nome | Nombre | Nom | Heiti
Save | Salva | Guardar | Enregistrer | Vista
Language | Lingua | Idioma | Langue | Tungumál
Tools | Strumenti | Herramientas | Outils | Verkfæri
Select and move (S) | Scegli e sposta (S) | Elegir y mover (S) | Choisir et déplacer (S) | Velja og færa (S)
Vent (V): click where the lava emerges | Bocca (V): clicca dove esce la lava | Boca (V): haga clic donde sale la lava | Bouche (V) : cliquez où la lave sort | Gosop (V): smelltu þar sem hraunið kemur upp
Fissure (F): click its points, Enter ends it | Fessura (F): clicca i suoi punti, Invio la chiude | Fisura (F): haga clic en sus puntos, Intro la termina | Fissure (F) : cliquez ses points, Entrée la termine | Sprunga (F): smelltu á punkta hennar, Enter lýkur henni
Wall (W): click its points, Enter ends it | Argine (W): clicca i suoi punti, Invio lo chiude | Muro (W): haga clic en sus puntos, Intro lo termina | Digue (W) : cliquez ses points, Entrée la termine | Garður (W): smelltu á punkta hans, Enter lýkur honum
Channel (C): click its points, Enter ends it | Canale (C): clicca i suoi punti, Invio lo chiude | Canal (C): haga clic en sus puntos, Intro lo termina | Chenal (C) : cliquez ses points, Entrée le termine | Rás (C): smelltu á punkta hennar, Enter lýkur henni
Place of interest (P) | Luogo di interesse (P) | Lugar de interés (P) | Lieu d'intérêt (P) | Áhugaverður staður (P)
Undo (Ctrl+Z) | Annulla (Ctrl+Z) | Deshacer (Ctrl+Z) | Annuler (Ctrl+Z) | Afturkalla (Ctrl+Z)
Undo | Annulla | Deshacer | Annuler | Afturkalla
Redo (Ctrl+Y) | Ripeti (Ctrl+Y) | Rehacer (Ctrl+Y) | Rétablir (Ctrl+Y) | Endurtaka (Ctrl+Y)
Redo | Ripeti | Rehacer | Rétablir | Endurtaka
Run (R) | Simula (R) | Simular (R) | Simuler (R) | Reikna (R)
Starts again by itself after each change | Riparte da solo dopo ogni modifica | Vuelve a empezar solo tras cada cambio | Recommence de lui-même après chaque changement | Byrjar aftur sjálft eftir hverja breytingu
Progress | Avanzamento | Progreso | Avancement | Framvinda
{} to {} | {} – {} | {} – {} | {} – {} | {} – {}
{} d | {} g | {} d | {} j | {} d
{} from the start of the eruption | {} dall'inizio dell'eruzione | {} desde el inicio de la erupción | {} depuis le début de l'éruption | {} frá upphafi gossins
interrupted before its end | interrotta prima della fine | interrumpida antes del final | interrompue avant sa fin | stöðvuð fyrir lok
SYNTHETIC TERRAIN: made up by a program, not surveyed. Nothing here is about a real place. | TERRENO SINTETICO: inventato da un programma, non rilevato. Nulla qui riguarda un luogo reale. | TERRENO SINTÉTICO: inventado por un programa, no medido. Nada aquí trata de un lugar real. | TERRAIN SYNTHÉTIQUE : inventé par un programme, non mesuré. Rien ici ne concerne un lieu réel. | TILBÚIÐ LAND: búið til af forriti, ekki mælt. Ekkert hér á við raunverulegan stað.
{} ({} of {} rows) | {} ({} di {} righe) | {} ({} de {} filas) | {} ({} de {} lignes) | {} ({} af {} línum)
{} ({} rows) | {} ({} righe) | {} ({} filas) | {} ({} lignes) | {} ({} línur)
East, north | Est, nord | Este, norte | Est, nord | Austur, norður
Lat, lon | Lat, lon | Lat, lon | Lat, lon | Breidd, lengd
Ground | Suolo | Terreno | Sol | Land
Ground before | Suolo prima | Terreno antes | Sol avant | Land fyrir gos
outside the map | fuori dalla mappa | fuera del mapa | hors de la carte | utan kortsins
{} of the whole run, in the cells that lava has reached by then. | {} dell'intera simulazione, nelle celle già raggiunte dalla lava. | {} de toda la simulación, en las celdas ya alcanzadas por la lava. | {} de toute la simulation, dans les cellules déjà atteintes par la lave. | {} allrar keyrslunnar, í reitum sem hraun hefur þá náð.
Cells appear when lava reaches them, with their values of the end. Run with --every to have those in between. | Le celle appaiono quando la lava le raggiunge, con i valori finali. Usa --every per avere quelli intermedi. | Las celdas aparecen cuando la lava las alcanza, con sus valores finales. Use --every para tener los intermedios. | Les cellules apparaissent quand la lave les atteint, avec leurs valeurs finales. Utilisez --every pour les valeurs intermédiaires. | Reitir birtast þegar hraun nær þeim, með lokagildum sínum. Notaðu --every til að fá gildin á milli.
Values between the {} states of the run are interpolated (≈). | I valori tra i {} stati della simulazione sono interpolati (≈). | Los valores entre los {} estados de la simulación se interpolan (≈). | Les valeurs entre les {} états de la simulation sont interpolées (≈). | Gildi á milli {} staða keyrslunnar eru brúuð (≈).
million m³ | milioni di m³ | millones de m³ | millions de m³ | milljónir m³
{} × {} cells of {} m | {} × {} celle di {} m | {} × {} celdas de {} m | {} × {} cellules de {} m | {} × {} reitir, {} m
not named | senza nome | sin nombre | sans nom | ekki nefnt
of the same datum, interpolated to {} | dello stesso datum, interpolate entro {} | del mismo datum, interpoladas con {} | du même datum, interpolées à {} près | sama viðmiðun, brúað með {}
less than a centimetre | meno di un centimetro | menos de un centímetro | moins d'un centimètre | minna en sentimetra
means of {} × {} cells | medie di {} × {} celle | medias de {} × {} celdas | moyennes de {} × {} cellules | meðaltöl {} × {} reita
one of {} × {} cells | una di {} × {} celle | una de {} × {} celdas | une de {} × {} cellules | einn af {} × {} reitum
variant {} on {} | variante {} su {} | variante {} en {} | variante {} sur {} | afbrigði {} á {}
Score ({}) with noise that the search has not seen | Punteggio ({}) con rumore che la ricerca non ha visto | Puntuación ({}) con ruido que la búsqueda no ha visto | Score ({}) avec un bruit que la recherche n'a pas vu | Einkunn ({}) með suði sem leitin hefur ekki séð
{} of {} | {} di {} | {} de {} | {} sur {} | {} af {}
A model is not a forecast. It computes where lava would flow with these rates, vents and parameters on this terrain; another rate, or a vent a hundred metres away, gives another flow. | Un modello non è una previsione. Calcola dove scorrerebbe la lava con queste portate, bocche e parametri su questo terreno; un'altra portata, o una bocca a cento metri, dà un'altra colata. | Un modelo no es un pronóstico. Calcula por dónde fluiría la lava con estas tasas, bocas y parámetros en este terreno; otra tasa, o una boca a cien metros, da otra colada. | Un modèle n'est pas une prévision. Il calcule où la lave coulerait avec ces débits, bouches et paramètres sur ce terrain ; un autre débit, ou une bouche à cent mètres, donne une autre coulée. | Líkan er ekki spá. Það reiknar hvert hraun rynni með þessu flæði, gosopum og stikum á þessu landi; annað flæði, eða gosop hundrað metrum frá, gefur annað hraun.
One run is one possible flow. Only an ensemble shows how certain it is. | Una simulazione è una colata possibile. Solo un insieme mostra quanto è certa. | Una simulación es una colada posible. Solo un conjunto muestra cuán segura es. | Une simulation est une coulée possible. Seul un ensemble montre à quel point elle est sûre. | Ein keyrsla er eitt mögulegt hraun. Aðeins keyrslusafn sýnir hve öruggt það er.
Times of a single run depend on its step and cells by up to a factor of 3; they were never compared with observed fronts. | I tempi di una singola simulazione dipendono dal passo e dalle celle fino a un fattore 3; non sono mai stati confrontati con fronti osservati. | Los tiempos de una sola simulación dependen del paso y de las celdas hasta en un factor de 3; nunca se han comparado con frentes observados. | Les temps d'une seule simulation dépendent du pas et des cellules jusqu'à un facteur 3 ; ils n'ont jamais été comparés à des fronts observés. | Tímar einnar keyrslu ráðast af skrefi hennar og reitum, allt að þrefalt; þeir hafa aldrei verið bornir saman við athugaða jaðra.
Probabilities cover the rates, vents, terrain errors and parameters that the plan varies, and nothing else. A standard error describes the number of members, not the quality of the model. | Le probabilità coprono le portate, le bocche, gli errori del terreno e i parametri che il piano varia, e nient'altro. Un errore standard descrive il numero di membri, non la qualità del modello. | Las probabilidades cubren las tasas, bocas, errores del terreno y parámetros que el plan varía, y nada más. Un error estándar describe el número de miembros, no la calidad del modelo. | Les probabilités couvrent les débits, bouches, erreurs de terrain et paramètres que le plan fait varier, et rien d'autre. Une erreur type décrit le nombre de membres, non la qualité du modèle. | Líkur ná yfir flæði, gosop, landskekkjur og stika sem áætlunin breytir, og ekkert annað. Staðalskekkja lýsir fjölda keyrslna, ekki gæðum líkansins.
Parameters that agree best with one eruption need not suit the next. The score on held-out observations describes this better than the score that the search used. | I parametri migliori per un'eruzione possono non adattarsi alla prossima. Il punteggio su osservazioni tenute da parte lo descrive meglio di quello usato dalla ricerca. | Los mejores parámetros de una erupción pueden no servir para la siguiente. La puntuación con observaciones reservadas lo describe mejor que la usada por la búsqueda. | Les meilleurs paramètres d'une éruption peuvent ne pas convenir à la suivante. Le score sur des observations mises de côté le décrit mieux que celui de la recherche. | Stikar sem passa best við eitt gos þurfa ekki að henta því næsta. Einkunn á mælingum sem voru teknar frá lýsir því betur en sú sem leitin notaði.
The parameters come from other eruptions. They may not hold for other lava, other terrain or cells of another size. | I parametri vengono da altre eruzioni. Possono non valere per altra lava, altro terreno o celle di altra misura. | Los parámetros vienen de otras erupciones. Pueden no valer para otra lava, otro terreno o celdas de otro tamaño. | Les paramètres viennent d'autres éruptions. Ils peuvent ne pas valoir pour une autre lave, un autre terrain ou des cellules d'une autre taille. | Stikarnir koma úr öðrum gosum. Þeir þurfa ekki að gilda um annað hraun, annað land eða reiti af annarri stærð.
The terrain is as old as its survey, and as fine as its cells. Walls, roads and gullies narrower than a cell are not in it. | Il terreno è vecchio quanto il suo rilievo e fine quanto le sue celle. Muri, strade e fossi più stretti di una cella non ci sono. | El terreno es tan antiguo como su levantamiento y tan fino como sus celdas. Muros, caminos y barrancos más estrechos que una celda no están en él. | Le terrain est aussi ancien que son relevé et aussi fin que ses cellules. Murs, routes et ravins plus étroits qu'une cellule n'y sont pas. | Landið er jafngamalt mælingu þess og jafnfínt og reitirnir. Veggir, vegir og gil mjórri en reitur eru ekki í því.
result {} | risultato {} | resultado {} | résultat {} | niðurstaða {}
The same case always gives the same digest. | Lo stesso caso dà sempre lo stesso digest. | El mismo caso da siempre el mismo resumen. | Le même cas donne toujours la même empreinte. | Sama tilvik gefur alltaf sama fingrafar.
Terrain: {} | Terreno: {} | Terreno: {} | Terrain : {} | Land: {}
Area over time, up to {} square kilometres at the end. | Area nel tempo, fino a {} chilometri quadrati alla fine. | Área en el tiempo, hasta {} kilómetros cuadrados al final. | Surface au cours du temps, jusqu'à {} kilomètres carrés à la fin. | Flatarmál með tíma, {} ferkílómetrar í lokin.
Run-out over time, {} kilometres at the end. | Distanza nel tempo, {} chilometri alla fine. | Alcance en el tiempo, {} kilómetros al final. | Distance au cours du temps, {} kilomètres à la fin. | Rennslislengd með tíma, {} kílómetrar í lokin.
Volumes over time; {} million cubic metres were emitted by the end. | Volumi nel tempo; {} milioni di metri cubi emessi alla fine. | Volúmenes en el tiempo; {} millones de metros cúbicos emitidos al final. | Volumes au cours du temps ; {} millions de mètres cubes émis à la fin. | Rúmmál með tíma; {} milljónir rúmmetra komu upp.
Effusion rate over time, at most {} cubic metres a second. | Portata nel tempo, al massimo {} metri cubi al secondo. | Tasa de emisión en el tiempo, como máximo {} metros cúbicos por segundo. | Débit au cours du temps, au plus {} mètres cubes par seconde. | Flæði með tíma, mest {} rúmmetrar á sekúndu.
{}, share of the members | {}, quota dei membri | {}, parte de los miembros | {}, part des membres | {}, hlutfall keyrslna
{} of the members: from {} to {}. | {} dei membri: da {} a {}. | {} de los miembros: de {} a {}. | {} des membres : de {} à {}. | {} keyrslna: frá {} til {}.
Area reached | Area raggiunta | Área alcanzada | Surface atteinte | Flatarmál sem náðist
Area that lava reached | Area raggiunta dalla lava | Área alcanzada por la lava | Surface atteinte par la lave | Flatarmál sem hraun náði
Members to look at | Membri da guardare | Miembros para observar | Membres à regarder | Keyrslur til skoðunar
Member {} | Membro {} | Miembro {} | Membre {} | Keyrsla {}
the most representative, expected overlap J | il più rappresentativo, sovrapposizione attesa J | el más representativo, solapamiento esperado J | le plus représentatif, recouvrement attendu J | dæmigerðust, vænt skörun J
arrival at | arrivo a | llegada a | arrivée à | koma að
area | area | área | surface | flatarmál
Run-out | Distanza massima | Alcance | Distance d'écoulement | Rennslislengd
run-out | distanza massima | alcance | distance d'écoulement | rennslislengd
emitted | emessa | emitida | émise | komið upp
solidified | solidificata | solidificada | solidifiée | storknað
mobile | mobile | móvil | mobile | fljótandi
Volume | Volume | Volumen | Volume | Rúmmál
Effusion rate | Portata | Tasa de emisión | Débit | Hraunflæði
rate | portata | tasa | débit | flæði
How the score rose | Come è salito il punteggio | Cómo subió la puntuación | Comment le score a monté | Hvernig einkunnin hækkaði
best so far | migliore finora | mejor hasta ahora | meilleur jusqu'ici | best hingað til
each evaluation | ogni valutazione | cada evaluación | chaque évaluation | hvert mat
score | punteggio | puntuación | score | einkunn
Score against {} | Punteggio contro {} | Puntuación frente a {} | Score selon {} | Einkunn á móti {}
Thickness | Spessore | Espesor | Épaisseur | Þykkt
Greatest thickness | Spessore massimo | Espesor máximo | Épaisseur maximale | Mesta þykkt
Temperature | Temperatura | Temperatura | Température | Hiti
Arrival | Arrivo | Llegada | Arrivée | Koma
Probability | Probabilità | Probabilidad | Probabilité | Líkur
Probability of lava | Probabilità di lava | Probabilidad de lava | Probabilité de lave | Líkur á hrauni
Probability with discrepancy | Probabilità con discrepanza | Probabilidad con discrepancia | Probabilité avec écart | Líkur með misræmi
Probability with barriers | Probabilità con barriere | Probabilidad con barreras | Probabilité avec barrières | Líkur með varnargörðum
Probability without barriers | Probabilità senza barriere | Probabilidad sin barreras | Probabilité sans barrières | Líkur án varnargarða
Difference by the barriers | Differenza dovuta alle barriere | Diferencia por las barreras | Différence due aux barrières | Munur vegna varnargarða
Arrival, median | Arrivo, mediana | Llegada, mediana | Arrivée, médiane | Koma, miðgildi
Arrival, early (5 %) | Arrivo, presto (5 %) | Llegada, temprana (5 %) | Arrivée, précoce (5 %) | Koma, snemma (5 %)
Arrival, late (95 %) | Arrivo, tardi (95 %) | Llegada, tardía (95 %) | Arrivée, tardive (95 %) | Koma, seint (95 %)
Arrival, earliest of all | Arrivo, il primo di tutti | Llegada, la primera de todas | Arrivée, la première de toutes | Koma, fyrst allra
Thickness, 95 % | Spessore, 95 % | Espesor, 95 % | Épaisseur, 95 % | Þykkt, 95 %
Thickness, median | Spessore, mediana | Espesor, mediana | Épaisseur, médiane | Þykkt, miðgildi
Thickness, 5 % | Spessore, 5 % | Espesor, 5 % | Épaisseur, 5 % | Þykkt, 5 %
Thickness, mean | Spessore, media | Espesor, media | Épaisseur, moyenne | Þykkt, meðaltal
Contours | Curve di livello | Curvas de nivel | Courbes de niveau | Hæðarlínur
Observed outline | Contorno osservato | Contorno observado | Contour observé | Mældur jaðar
observed outline | contorno osservato | contorno observado | contour observé | mældur jaðar
Isochrones | Isocrone | Isócronas | Isochrones | Jafntímalínur
isochrones | isocrone | isócronas | isochrones | jafntímalínur
Vents | Bocche | Bocas | Bouches | Gosop
Possible vents | Bocche possibili | Bocas posibles | Bouches possibles | Möguleg gosop
vent | bocca | boca | bouche | gosop
possible vent | bocca possibile | boca posible | bouche possible | mögulegt gosop
fissure | fessura | fisura | fissure | sprunga
place of interest | luogo di interesse | lugar de interés | lieu d'intérêt | áhugaverður staður
Places of interest | Luoghi di interesse | Lugares de interés | Lieux d'intérêt | Áhugaverðir staðir
Lava flow simulation | Simulazione di una colata lavica | Simulación de una colada de lava | Simulation d'une coulée de lave | Hermun hraunrennslis
Ensemble of lava flow simulations | Insieme di simulazioni di colate | Conjunto de simulaciones de coladas | Ensemble de simulations de coulées | Safn hraunhermana
Calibration | Calibrazione | Calibración | Calibration | Kvörðun
Calibration: posterior | Calibrazione: a posteriori | Calibración: a posteriori | Calibration : a posteriori | Kvörðun: eftirádreifing
covered by lava | coperti dalla lava | cubiertos por lava | couverts par la lave | hulið hrauni
overlap J with the outline | sovrapposizione J con il contorno | solapamiento J con el contorno | recouvrement J avec le contour | skörun J við jaðarinn
greatest thickness | spessore massimo | espesor máximo | épaisseur maximale | mesta þykkt
simulated | simulati | simulados | simulés | reiknað
hours | ore | horas | heures | klst.
days | giorni | días | jours | dagar
digest of the result | digest del risultato | resumen del resultado | empreinte du résultat | fingrafar niðurstöðu
eruptions computed | eruzioni calcolate | erupciones calculadas | éruptions calculées | reiknuð gos
reached by any of them | raggiunti da almeno una | alcanzados por alguna | atteints par l'une d'elles | náð af einhverju þeirra
expected area | area attesa | área esperada | surface attendue | vænt flatarmál
largest standard error | errore standard massimo | mayor error estándar | plus grande erreur type | stærsta staðalskekkja
{} of {} eruptions: {} | {} di {} eruzioni: {} | {} de {} erupciones: {} | {} éruptions sur {} : {} | {} af {} gosum: {}
compared with {} | in confronto a {} | en comparación con {} | comparé à {} | borið saman við {}
evaluations | valutazioni | evaluaciones | évaluations | möt
Parameters of the model | Parametri del modello | Parámetros del modelo | Paramètres du modèle | Stikar líkansins
name | nome | nombre | nom | heiti
meaning | significato | significado | signification | merking
value | valore | valor | valeur | gildi
unit | unità | unidad | unité | eining
length of a step | durata di un passo | duración de un paso | durée d'un pas | lengd skrefs
temperature of solidification | temperatura di solidificazione | temperatura de solidificación | température de solidification | storknunarhiti
temperature at the vent | temperatura alla bocca | temperatura en la boca | température à la bouche | hiti í gosopi
relaxation rate at solidification | tasso di rilassamento alla solidificazione | tasa de relajación en la solidificación | taux de relaxation à la solidification | slökunarhraði við storknun
{}; {} for cells of {} m | {}; {} per celle di {} m | {}; {} para celdas de {} m | {} ; {} pour des cellules de {} m | {}; {} fyrir reiti sem eru {} m
relaxation rate at the vent | tasso di rilassamento alla bocca | tasa de relajación en la boca | taux de relaxation à la bouche | slökunarhraði í gosopi
critical thickness at solidification | spessore critico alla solidificazione | espesor crítico en la solidificación | épaisseur critique à la solidification | krítísk þykkt við storknun
critical thickness at the vent | spessore critico alla bocca | espesor crítico en la boca | épaisseur critique à la bouche | krítísk þykkt í gosopi
cooling | raffreddamento | enfriamiento | refroidissement | kæling
density | densità | densidad | densité | eðlismassi
emissivity | emissività | emisividad | émissivité | eðlisgeislun
Stefan-Boltzmann constant | costante di Stefan-Boltzmann | constante de Stefan-Boltzmann | constante de Stefan-Boltzmann | fasti Stefans og Boltzmanns
specific heat | calore specifico | calor específico | chaleur massique | eðlisvarmi
Ledger of lava | Bilancio della lava | Balance de la lava | Bilan de la lave | Bókhald hrauns
Ledger of heat | Bilancio del calore | Balance del calor | Bilan de la chaleur | Bókhald varma
at the beginning | all'inizio | al principio | au début | í upphafi
left the terrain | uscita dal terreno | salida del terreno | sortie du terrain | fór út af landinu
entered the sea | entrata in mare | entrada en el mar | entrée dans la mer | rann í sjó
lost by cooling | perso per raffreddamento | perdido por enfriamiento | perdu par refroidissement | tapað við kælingu
closes exactly | chiude esattamente | cierra exactamente | exactement équilibré | gengur nákvæmlega upp
yes | sì | sí | oui | já
Provenance | Provenienza | Procedencia | Provenance | Uppruni
case | caso | caso | cas | tilvik
plan | piano | plan | plan | áætlun
file | file | archivo | fichier | skrá
terrain | terreno | terreno | terrain | land
grid | griglia | malla | grille | reitanet
coordinates | coordinate | coordenadas | coordonnées | hnit
latitude, longitude | latitudine, longitudine | latitud, longitud | latitude, longitude | breidd, lengd
computed by | calcolato da | calculado por | calculé par | reiknað af
last step | ultimo passo | último paso | dernier pas | síðasta skref
parameters from | parametri da | parámetros de | paramètres de | stikar úr
program | programma | programa | programme | forrit
Agreement with the observed outline | Accordo con il contorno osservato | Acuerdo con el contorno observado | Accord avec le contour observé | Samræmi við mældan jaðar
hits: simulated and observed | successi: simulate e osservate | aciertos: simuladas y observadas | succès : simulées et observées | hittni: reiknað og mælt
misses: observed only | mancate: solo osservate | fallos: solo observadas | manques : observées seulement | misst: aðeins mælt
false alarms: simulated only | falsi allarmi: solo simulate | falsas alarmas: solo simuladas | fausses alertes : simulées seulement | fölsk: aðeins reiknað
overlap J: hits of all these | sovrapposizione J: successi su tutte | solapamiento J: aciertos de todas | recouvrement J : succès sur toutes | skörun J: hittni af öllum þessum
cells | celle | celdas | cellules | reitir
What was varied | Che cosa è stato variato | Qué se varió | Ce qui a varié | Hverju var breytt
median | mediana | mediana | médiane | miðgildi
mean | media | media | moyenne | meðaltal
standard error | errore standard | error estándar | erreur type | staðalskekkja
cells that lava reached | celle raggiunte dalla lava | celdas alcanzadas por la lava | cellules atteintes par la lave | reitir sem hraun náði
arrival | arrivo | llegada | arrivée | koma
arrival, 5 to 95 % of members | arrivo, dal 5 al 95 % dei membri | llegada, del 5 al 95 % de los miembros | arrivée, de 5 à 95 % des membres | koma, 5 til 95 % keyrslna
{} to {} h | {} – {} h | {} – {} h | {} – {} h | {} – {} klst.
{} (5 to 95 %: {}) | {} (dal 5 al 95 %: {}) | {} (5 a 95 %: {}) | {} (5 à 95 % : {}) | {} (5 til 95 %: {})
5 to 95 % of members: the layers {} and {}. | Dal 5 al 95 % dei membri: i livelli {} e {}. | 5 a 95 % de los miembros: las capas {} y {}. | 5 à 95 % des membres : les couches {} et {}. | 5 til 95 % keyrslna: lögin {} og {}.
thickness, 95 % | spessore, 95 % | espesor, 95 % | épaisseur, 95 % | þykkt, 95 %
thickness at the end | spessore alla fine | espesor al final | épaisseur à la fin | þykkt í lokin
probability of lava | probabilità di lava | probabilidad de lava | probabilité de lave | líkur á hrauni
Timeline | Cronologia | Cronología | Chronologie | Tímalína
Each line needs east and north in metres. | Ogni riga ha bisogno di est e nord in metri. | Cada línea necesita este y norte en metros. | Chaque ligne demande l'est et le nord en mètres. | Í hverri línu þarf austur og norður í metrum.
No rates: lines of hours and m³/s are needed. | Nessuna portata: servono righe di ore e m³/s. | Sin tasas: se necesitan líneas de horas y m³/s. | Aucun débit : il faut des lignes d'heures et de m³/s. | Ekkert flæði: línur með klukkustundum og m³/s vantar.
Line {} is not numbers: {} | La riga {} non è di numeri: {} | La línea {} no son números: {} | La ligne {} n'est pas faite de nombres : {} | Lína {} er ekki tölur: {}
The columns vent, from_h, to_h, rate_m3_s are needed. | Servono le colonne vent, from_h, to_h, rate_m3_s. | Se necesitan las columnas vent, from_h, to_h, rate_m3_s. | Il faut les colonnes vent, from_h, to_h, rate_m3_s. | Dálkana vent, from_h, to_h, rate_m3_s vantar.
Nothing is drawn yet: choose Vent, then click where the lava emerges. | Non c'è ancora nulla: scegli Bocca, poi clicca dove esce la lava. | Aún no hay nada: elija Boca y haga clic donde sale la lava. | Rien n'est dessiné : choisissez Bouche, puis cliquez où la lave sort. | Ekkert er teiknað enn: veldu Gosop og smelltu þar sem hraunið kemur upp.
Height | Altezza | Altura | Hauteur | Hæð
Height above ground | Altezza sul suolo | Altura sobre el terreno | Hauteur au-dessus du sol | Hæð yfir landi
Crest | Cresta | Coronación | Crête | Brún
Elevation of the crest | Quota della cresta | Cota de la coronación | Altitude de la crête | Hæð brúnar yfir sjó
Given by | Dato come | Dado por | Donné par | Gefið sem
Depth | Profondità | Profundidad | Profondeur | Dýpt
Width | Larghezza | Anchura | Largeur | Breidd
Built after | Costruito dopo | Construido tras | Construit après | Reist eftir
Delete (Del) | Elimina (Canc) | Borrar (Supr) | Supprimer (Suppr) | Eyða (Del)
Delete | Elimina | Borrar | Supprimer | Eyða
Rates of | Portate di | Tasas de | Débits de | Flæði úr
Rates as CSV | Portate come CSV | Tasas como CSV | Débits en CSV | Flæði sem CSV
Use these rates | Usa queste portate | Usar estas tasas | Utiliser ces débits | Nota þetta flæði
As CSV: hours, m³/s | Come CSV: ore, m³/s | Como CSV: horas, m³/s | En CSV : heures, m³/s | Sem CSV: klst., m³/s
Point {}: from {} h, {} m³/s | Punto {}: da {} h, {} m³/s | Punto {}: desde {} h, {} m³/s | Point {} : dès {} h, {} m³/s | Punktur {}: frá {} klst., {} m³/s
Rates are those of a vent: there is none yet. | Le portate sono di una bocca: non ce n'è ancora. | Las tasas son de una boca: aún no hay ninguna. | Les débits sont ceux d'une bouche : il n'y en a pas encore. | Flæði á við gosop: ekkert er komið enn.
All vents together | Tutte le bocche insieme | Todas las bocas juntas | Toutes les bouches ensemble | Öll gosop saman
Effusion rate over time, with points to move | Portata nel tempo, con punti da spostare | Tasa de emisión en el tiempo, con puntos que se mueven | Débit au cours du temps, avec des points à déplacer | Hraunflæði með tíma, með punktum til að færa
Volume of all vents: {} | Volume di tutte le bocche: {} | Volumen de todas las bocas: {} | Volume de toutes les bouches : {} | Rúmmál allra gosopa: {}
There is no vent {}. | Non c'è la bocca {}. | No hay boca {}. | Il n'y a pas de bouche {}. | Ekkert gosop {} er til.
Files | File | Archivos | Fichiers | Skrár
Cases | Casi | Casos | Cas | Tilvik
Plans | Piani | Planes | Plans | Áætlanir
Libraries | Archivi | Bibliotecas | Bibliothèques | Söfn
Terrains | Terreni | Terrenos | Terrains | Landlíkön
{} files that can be opened | {} file che si possono aprire | {} archivos que se pueden abrir | {} fichiers à ouvrir | {} skrár sem má opna
Opening … | Apertura … | Abriendo … | Ouverture … | Opna …
No case, plan, library or terrain is in this folder. Start the program in another one, or name a file. | In questa cartella non c'è né un caso, né un piano, né un archivio, né un terreno. Avvia il programma in un'altra, o indica un file. | En esta carpeta no hay ningún caso, plan, biblioteca ni terreno. Inicie el programa en otra, o indique un archivo. | Ce dossier n'a ni cas, ni plan, ni bibliothèque, ni terrain. Démarrez le programme dans un autre, ou nommez un fichier. | Í þessari möppu er hvorki tilvik, áætlun, safn né landlíkan. Ræstu forritið í annarri, eða nefndu skrá.
There are more: start the program in a folder further down. | Ce ne sono altri: avvia il programma in una cartella più interna. | Hay más: inicie el programa en una carpeta inferior. | Il y en a d'autres : démarrez le programme dans un sous-dossier. | Fleiri eru til: ræstu forritið í undirmöppu.
Coordinates | Coordinate | Coordenadas | Coordonnées | Hnit
Each line needs latitude and longitude in degrees. | Ogni riga ha bisogno di latitudine e longitudine in gradi. | Cada línea necesita latitud y longitud en grados. | Chaque ligne demande la latitude et la longitude en degrés. | Í hverri línu þarf breidd og lengd í gráðum.
Choose the next point (N) | Scegli il punto successivo (N) | Elegir el punto siguiente (N) | Choisir le point suivant (N) | Velja næsta punkt (N)
All points | Tutti i punti | Todos los puntos | Tous les points | Allir punktar
Point {} of {} | Punto {} di {} | Punto {} de {} | Point {} sur {} | Punktur {} af {}
Add a point | Aggiungi punto | Añadir punto | Ajouter un point | Bæta við punkti
Add a point after the chosen one (Insert) | Aggiungi un punto dopo quello scelto (Ins) | Añadir un punto tras el elegido (Insert) | Ajouter un point après celui choisi (Inser) | Bæta við punkti á eftir þeim valda (Insert)
Remove | Togli | Quitar | Retirer | Fjarlægja
Remove the chosen point (Del) | Togli il punto scelto (Canc) | Quitar el punto elegido (Supr) | Retirer le point choisi (Suppr) | Fjarlægja valda punktinn (Del)
from | da | desde | de | frá
to | a | hasta | à | til
any | qualsiasi | cualquiera | indifférent | hvort sem er
lava arrives | la lava arriva | la lava llega | la lave arrive | hraun kemur
lava does not arrive | la lava non arriva | la lava no llega | la lave n'arrive pas | hraun kemur ekki
Vents in a circle: click its centre | Bocche in un cerchio: clicca il centro | Bocas en un círculo: haga clic en el centro | Bouches dans un cercle : cliquez son centre | Gosop í hring: smelltu á miðju hans
Without the circle | Senza il cerchio | Sin el círculo | Sans le cercle | Án hringsins
Radius of the circle | Raggio del cerchio | Radio del círculo | Rayon du cercle | Radíus hringsins
Radius | Raggio | Radio | Rayon | Radíus
Ask | Chiedi | Preguntar | Demander | Spyrja
{} computed eruptions answer. What is known of this one? | Rispondono {} eruzioni calcolate. Che cosa si sa di questa? | Responden {} erupciones calculadas. ¿Qué se sabe de esta? | {} éruptions calculées répondent. Que sait-on de celle-ci ? | {} reiknuð gos svara. Hvað er vitað um þetta?
Given that | Dato che | Dado que | Sachant que | Að því gefnu að
The plan that is served is computed as it is. Change what is drawn for an ensemble of its own. | Il piano servito si calcola così com'è. Cambia il disegno per un insieme proprio. | El plan servido se calcula como está. Cambie el dibujo para un conjunto propio. | Le plan servi est calculé tel quel. Changez le dessin pour un ensemble à part. | Áætlunin er reiknuð eins og hún er. Breyttu teikningunni til að fá eigið safn keyrslna.
The observed outline could not be read, so it is not shown: {} | Il contorno osservato non si può leggere, quindi non è mostrato: {} | El contorno observado no se puede leer, así que no se muestra: {} | Le contour observé ne peut être lu, il n'est donc pas affiché : {} | Ekki tókst að lesa mælda jaðarinn, svo hann er ekki sýndur: {}
{} of {} members | {} di {} membri | {} de {} miembros | {} sur {} membres | {} af {} keyrslum
largest standard error {} | errore standard massimo {} | mayor error estándar {} | plus grande erreur type {} | stærsta staðalskekkja {}
{} members | {} membri | {} miembros | {} membres | {} keyrslur
{} of {} eruptions count | contano {} di {} eruzioni | cuentan {} de {} erupciones | {} éruptions sur {} comptent | {} af {} gosum gilda
Spared {}, struck {}; earlier {}, later {}. | Risparmiati {}, colpiti {}; prima {}, dopo {}. | Librados {}, alcanzados {}; antes {}, después {}. | Épargnés {}, touchés {} ; plus tôt {}, plus tard {}. | Hlíft {}, hitt {}; fyrr {}, síðar {}.
same | uguale | igual | pareil | eins
earlier | prima | antes | plus tôt | fyrr
later | dopo | después | plus tard | síðar
spared | risparmiata | librada | épargnée | hlíft
struck | colpita | alcanzada | touchée | hitt
less by more than 25 % | meno, oltre 25 % | menos, más de 25 % | moins, plus de 25 % | minna, yfir 25 %
less by 5 to 25 % | meno, 5–25 % | menos, 5–25 % | moins, 5–25 % | minna, 5–25 %
within 5 % | entro 5 % | dentro de 5 % | à 5 % près | innan 5 %
more by 5 to 25 % | più, 5–25 % | más, 5–25 % | plus, 5–25 % | meira, 5–25 %
more by more than 25 % | più, oltre 25 % | más, más de 25 % | plus, plus de 25 % | meira, yfir 25 %
Draw this again | Ridisegna questo | Dibujar esto de nuevo | Redessiner ceci | Teikna þetta aftur
Difference | Differenza | Diferencia | Différence | Munur
Difference of probability | Differenza di probabilità | Diferencia de probabilidad | Différence de probabilité | Munur á líkum
Done in {} s. Digest {} | Fatto in {} s. Digest {} | Hecho en {} s. Resumen {} | Fait en {} s. Empreinte {} | Lokið á {} s. Fingrafar {}
Barriers | Barriere | Barreras | Barrières | Varnargarðar
length, m | lunghezza, m | longitud, m | longueur, m | lengd, m
fill, m³ | riporto, m³ | relleno, m³ | remblai, m³ | fylling, m³
excavation, m³ | scavo, m³ | excavación, m³ | déblai, m³ | gröftur, m³
Cancelled: the drawing has changed. | Annullato: il disegno è cambiato. | Cancelado: el dibujo ha cambiado. | Annulé : le dessin a changé. | Hætt við: teikningin hefur breyst.
The map shows the result before this change. | La mappa mostra il risultato prima di questa modifica. | El mapa muestra el resultado anterior a este cambio. | La carte montre le résultat d'avant ce changement. | Kortið sýnir niðurstöðuna fyrir þessa breytingu.
present | attuale | actual | actuel | núverandi
As | Come | Como | Comme | Sem
Kept | Tenuto | Guardado | Gardé | Geymt
Report | Rapporto | Informe | Rapport | Skýrsla
Map as PNG | Mappa PNG | Mapa PNG | Carte PNG | Kort sem PNG
Copy a link | Copia un link | Copiar un enlace | Copier un lien | Afrita tengil
The link is in the clipboard and in the address of this page. | Il link è negli appunti e nell'indirizzo di questa pagina. | El enlace está en el portapapeles y en la dirección de esta página. | Le lien est dans le presse-papiers et dans l'adresse de cette page. | Tengillinn er á klemmuspjaldinu og í slóð síðunnar.
Saved in {}. | Salvato in {}. | Guardado en {}. | Enregistré dans {}. | Vistað í {}.
It gives the digest {}. | Dà il digest {}. | Da el resumen {}. | Il donne l'empreinte {}. | Það gefur fingrafarið {}.
Keys of the case | Chiavi del caso | Claves del caso | Clés du cas | Lyklar tilviksins
Parameters, emission, sea and maps. An empty field has the value that it shows. | Parametri, emissione, mare e mappe. Un campo vuoto ha il valore che mostra. | Parámetros, emisión, mar y mapas. Un campo vacío tiene el valor que muestra. | Paramètres, émission, mer et cartes. Un champ vide a la valeur qu'il montre. | Stikar, útstreymi, sjór og kort. Tómur reitur hefur gildið sem hann sýnir.
{}: give a value from {} to {}. | {}: indicare un valore da {} a {}. | {}: dé un valor de {} a {}. | {} : donner une valeur de {} à {}. | {}: gefðu gildi frá {} til {}.
of the case | del caso | del caso | du cas | tilviksins
until it stops | finché si ferma | hasta que se detenga | jusqu'à l'arrêt | þar til það stöðvast
Replace | Sostituisci | Sustituir | Remplacer | Skipta út
The program does not answer: is it still running? | Il programma non risponde: è ancora in esecuzione? | El programa no responde: ¿sigue en marcha? | Le programme ne répond pas : tourne-t-il encore ? | Forritið svarar ekki: er það enn í gangi?
Forecast | Previsione | Pronóstico | Prévision | Spá
forecast at | previsione a | pronóstico a | prévision à | spá eftir
Warning | Avviso | Aviso | Avertissement | Viðvörun
{} simulated eruptions, weighted by the observations; effective number: {} (before: {}; yesterday: {}). A model is not a forecast of its own: see its scores below. | {} eruzioni simulate, pesate con le osservazioni; numero effettivo: {} (prima: {}; ieri: {}). Un modello da solo non è una previsione: vedi sotto i suoi punteggi. | {} erupciones simuladas, ponderadas por las observaciones; número efectivo: {} (antes: {}; ayer: {}). Un modelo por sí solo no es un pronóstico: vea abajo sus puntuaciones. | {} éruptions simulées, pondérées par les observations ; nombre effectif : {} (avant : {} ; hier : {}). Un modèle seul n'est pas une prévision : voir ses scores ci-dessous. | {} hermd eldgos, vegin með athugunum; virkur fjöldi: {} (áður: {}; í gær: {}). Líkan eitt og sér er ekki spá: sjá einkunnir þess að neðan.
Probability that lava arrives, from now on | Probabilità che arrivi la lava, da ora in poi | Probabilidad de que llegue la lava, desde ahora | Probabilité que la lave arrive, à partir de maintenant | Líkur á að hraun komi, héðan í frá
Probability in the end: before any observation, yesterday, now | Probabilità alla fine: prima di ogni osservazione, ieri, ora | Probabilidad al final: antes de toda observación, ayer, ahora | Probabilité à la fin : avant toute observation, hier, maintenant | Líkur að lokum: fyrir allar athuganir, í gær, nú
within {} h | entro {} h | en {} h | sous {} h | innan {} klst.
in the end | alla fine | al final | à la fin | að lokum
Forecast at places of interest | Previsione nei luoghi di interesse | Pronóstico en los lugares de interés | Prévision aux lieux d'intérêt | Spá á áhugaverðum stöðum
Probability of lava, yesterday's forecast | Probabilità di lava, previsione di ieri | Probabilidad de lava, pronóstico de ayer | Probabilité de lave, prévision d'hier | Líkur á hrauni, spá gærdagsins
Probability of lava, before any observation | Probabilità di lava, prima di ogni osservazione | Probabilidad de lava, antes de toda observación | Probabilité de lave, avant toute observation | Líkur á hrauni, fyrir allar athuganir
Probability within {} h from now | Probabilità entro {} h da ora | Probabilidad en las próximas {} h | Probabilité sous {} h à partir de maintenant | Líkur innan {} klst. héðan í frá
none of {} (below {} %) | nessuno su {} (sotto {} %) | ninguno de {} (por debajo de {} %) | aucun sur {} (moins de {} %) | ekkert af {} (undir {} %)
all of {} (above {} %) | tutti su {} (sopra {} %) | todos de {} (por encima de {} %) | tous sur {} (plus de {} %) | öll af {} (yfir {} %)
{} % (below {} %) | {} % (sotto {} %) | {} % (por debajo de {} %) | {} % (moins de {} %) | {} % (undir {} %)
{} % (above {} %) | {} % (sopra {} %) | {} % (por encima de {} %) | {} % (plus de {} %) | {} % (yfir {} %)
{} ± {} points | {} ± {} punti | {} ± {} puntos | {} ± {} points | {} ± {} prósentustig
no difference in {} (below {} points) | nessuna differenza su {} (sotto {} punti) | ninguna diferencia en {} (por debajo de {} puntos) | aucune différence sur {} (moins de {} points) | enginn munur í {} (undir {} prósentustigum)
{} points in all of {} | {} punti in tutti i {} | {} puntos en todos los {} | {} points sur les {} | {} prósentustig í öllum {}
reached, seen at {} h | raggiunto, visto a {} h | alcanzado, visto a {} h | atteint, vu à {} h | hraun komið, séð við {} klst.
reached | raggiunto | alcanzado | atteint | hraun komið
from before now ({} to {} h) | da prima di ora ({} – {} h) | desde antes de ahora ({} – {} h) | dès avant maintenant ({} – {} h) | frá því fyrir núna ({} – {} klst.)
before now ({} to {} h) | prima di ora ({} – {} h) | antes de ahora ({} – {} h) | avant maintenant ({} – {} h) | fyrir núna ({} – {} klst.)
stays below {} % | resta sotto {} % | queda por debajo de {} % | reste sous {} % | helst undir {} %
before | prima | antes | avant | áður
yesterday | ieri | ayer | hier | í gær
now | ora | ahora | maintenant | nú
{} more places: nowcast_places.csv | altri {} luoghi: nowcast_places.csv | {} lugares más: nowcast_places.csv | {} autres lieux : nowcast_places.csv | {} staðir til viðbótar: nowcast_places.csv
probability that lava arrives | probabilità che arrivi la lava | probabilidad de que llegue la lava | probabilité que la lave arrive | líkur á að hraun komi
change of probability in {} h | variazione della probabilità in {} h | cambio de la probabilidad en {} h | variation de la probabilité en {} h | breyting á líkum á {} klst.
What is known of the eruption | Che cosa si sa dell'eruzione | Qué se sabe de la erupción | Ce que l'on sait de l'éruption | Það sem vitað er um gosið
Quantity | Grandezza | Magnitud | Grandeur | Stærð
before: median ({} to {} %) | prima: mediana (dal {} al {} %) | antes: mediana ({} a {} %) | avant : médiane ({} à {} %) | áður: miðgildi ({} til {} %)
now: median ({} to {} %) | ora: mediana (dal {} al {} %) | ahora: mediana ({} a {} %) | maintenant : médiane ({} à {} %) | nú: miðgildi ({} til {} %)
covered area, km2 | area coperta, km2 | área cubierta, km2 | surface couverte, km2 | þakið svæði, km2
run-out, km | distanza raggiunta, km | alcance, km | distance atteinte, km | rennslislengd, km
emitted lava, million m3 | lava emessa, milioni di m3 | lava emitida, millones de m3 | lave émise, millions de m3 | losað hraun, milljónir m3
Single eruptions | Singole eruzioni | Erupciones individuales | Éruptions isolées | Einstök gos
Likeliest: member {} of the plan, {} km2, run-out {} km | La più probabile: membro {} del piano, {} km2, distanza {} km | La más probable: miembro {} del plan, {} km2, alcance {} km | La plus probable : membre {} du plan, {} km2, distance {} km | Líklegast: keyrsla {} í áætluninni, {} km2, rennslislengd {} km
Largest of the likely: member {} of the plan, {} km2, run-out {} km | La maggiore delle probabili: membro {} del piano, {} km2, distanza {} km | La mayor de las probables: miembro {} del plan, {} km2, alcance {} km | La plus grande des probables : membre {} du plan, {} km2, distance {} km | Stærst hinna líklegu: keyrsla {} í áætluninni, {} km2, rennslislengd {} km
How yesterday's forecast did: Brier score, log score ({} is perfect) | Com'è andata la previsione di ieri: punteggio di Brier, punteggio logaritmico ({} è perfetto) | Cómo fue el pronóstico de ayer: puntuación de Brier, puntuación logarítmica ({} es perfecto) | Ce qu'a valu la prévision d'hier : score de Brier, score logarithmique ({} est parfait) | Hvernig spá gærdagsins stóð sig: Brier-einkunn, log-einkunn ({} er fullkomið)
Front, forecast a day before | Fronte, previsto un giorno prima | Frente, pronosticado un día antes | Front, prévu un jour avant | Jaðar, spáð degi áður
forecast | previsione | pronóstico | prévision | spá
without observations | senza osservazioni | sin observaciones | sans observations | án athugana
no change | nessun cambiamento | sin cambio | sans changement | engin breyting
Reliability of all days so far: {}; without observations: {} ({} is perfect). | Affidabilità di tutti i giorni finora: {}; senza osservazioni: {} ({} è perfetto). | Fiabilidad de todos los días hasta ahora: {}; sin observaciones: {} ({} es perfecto). | Fiabilité de tous les jours jusqu'ici : {} ; sans observations : {} ({} est parfait). | Áreiðanleiki allra daga hingað til: {}; án athugana: {} ({} er fullkomið).
What was seen | Che cosa è stato osservato | Qué se observó | Ce qui a été observé | Það sem sást
front {} h | fronte a {} h | frente a {} h | front à {} h | jaðar við {} klst.
front {} h; the nearest eruption overlaps it by J = {} | fronte a {} h; l'eruzione più vicina vi si sovrappone con J = {} | frente a {} h; la erupción más cercana se solapa con él con J = {} | front à {} h ; l'éruption la plus proche le recouvre avec J = {} | jaðar við {} klst.; líkasta gosið skarast við hann með J = {}
dry {} h | asciutto a {} h | seco a {} h | sec à {} h | þurrt við {} klst.
survey {} h | rilievo a {} h | levantamiento a {} h | levé à {} h | mæling við {} klst.
hot spots {} h | punti caldi a {} h | puntos calientes a {} h | points chauds à {} h | heitir blettir við {} klst.
{} more observations: summary.json | altre {} osservazioni: summary.json | {} observaciones más: summary.json | {} autres observations : summary.json | {} athuganir til viðbótar: summary.json
The same plan and observations give this digest: | Lo stesso piano e le stesse osservazioni danno questa impronta: | El mismo plan y las mismas observaciones dan esta huella: | Le même plan et les mêmes observations donnent cette empreinte : | Sama áætlun og sömu athuganir gefa þetta fingrafar:
The flow may be too long: cells of {} m, with parameters that may be for cells of {} m. | La colata potrebbe essere troppo lunga: celle di {} m, con parametri forse per celle di {} m. | La colada puede ser demasiado larga: celdas de {} m, con parámetros quizá para celdas de {} m. | La coulée est peut-être trop longue : cellules de {} m, avec des paramètres peut-être pour des cellules de {} m. | Rennslið kann að vera of langt: reitir {} m, með stika sem kunna að vera fyrir {} m reiti.
The flow may be too short: cells of {} m, with parameters that may be for cells of {} m. | La colata potrebbe essere troppo corta: celle di {} m, con parametri forse per celle di {} m. | La colada puede ser demasiado corta: celdas de {} m, con parámetros quizá para celdas de {} m. | La coulée est peut-être trop courte : cellules de {} m, avec des paramètres peut-être pour des cellules de {} m. | Rennslið kann að vera of stutt: reitir {} m, með stika sem kunna að vera fyrir {} m reiti.
The forecast is too sure: it takes its terrain as exact, and no DEM is. | La previsione è troppo sicura: considera esatto il terreno, e nessun DEM lo è. | El pronóstico es demasiado seguro: toma el terreno como exacto, y ningún MDE lo es. | La prévision est trop sûre : elle prend le terrain pour exact, et aucun MNT ne l'est. | Spáin er of örugg: hún telur landið nákvæmt, og ekkert hæðarlíkan er það.
The null model follows the terrain as it is in the beginning: it knows neither later changes of terrain nor the lava of a state. | Il modello nullo segue il terreno com'è all'inizio: non conosce né i cambiamenti successivi del terreno né la lava di uno stato. | El modelo nulo sigue el terreno como es al principio: no conoce ni los cambios posteriores del terreno ni la lava de un estado. | Le modèle nul suit le terrain tel qu'il est au début : il ne connaît ni les changements ultérieurs du terrain ni la lave d'un état. | Núlllíkanið fylgir landinu eins og það er í upphafi: það þekkir hvorki síðari breytingar á landi né hraun í stöðu.
{} % of the lava has left the terrain: covered area and run-out are too small. | Il {} % della lava ha lasciato il terreno: area coperta e distanza raggiunta sono troppo piccole. | El {} % de la lava ha salido del terreno: el área cubierta y el alcance son demasiado pequeños. | {} % de la lave a quitté le terrain : la surface couverte et la distance atteinte sont trop petites. | {} % hraunsins fór út af landinu: þakið svæði og rennslislengd eru of lítil.
Lava leaves the terrain, probability {} % ± {}; flow outside the terrain is not simulated. | La lava lascia il terreno, probabilità {} % ± {}; il flusso fuori dal terreno non è simulato. | La lava sale del terreno, probabilidad {} % ± {}; el flujo fuera del terreno no se simula. | La lave quitte le terrain, probabilité {} % ± {} ; l'écoulement hors du terrain n'est pas simulé. | Hraun fer út af landinu, líkur {} % ± {}; rennsli utan landsins er ekki hermt.
Lava leaves the terrain, probability all of {} (above {} %); flow outside the terrain is not simulated. | La lava lascia il terreno, probabilità tutte le {} (oltre {} %); il flusso fuori dal terreno non è simulato. | La lava sale del terreno, probabilidad todas las {} (más de {} %); el flujo fuera del terreno no se simula. | La lave quitte le terrain, probabilité toutes les {} (plus de {} %) ; l'écoulement hors du terrain n'est pas simulé. | Hraun fer út af landinu, líkur öll {} (yfir {} %); rennsli utan landsins er ekki hermt.
Lava leaves the terrain, probability none of {} (below {} %); flow outside the terrain is not simulated. | La lava lascia il terreno, probabilità nessuna delle {} (sotto {} %); il flusso fuori dal terreno non è simulato. | La lava sale del terreno, probabilidad ninguna de {} (por debajo de {} %); el flujo fuera del terreno no se simula. | La lave quitte le terrain, probabilité aucune des {} (moins de {} %) ; l'écoulement hors du terrain n'est pas simulé. | Hraun fer út af landinu, líkur ekkert af {} (undir {} %); rennsli utan landsins er ekki hermt.
Lava leaves the terrain, probability {} % (below {} %); flow outside the terrain is not simulated. | La lava lascia il terreno, probabilità {} % (sotto {} %); il flusso fuori dal terreno non è simulato. | La lava sale del terreno, probabilidad {} % (por debajo de {} %); el flujo fuera del terreno no se simula. | La lave quitte le terrain, probabilité {} % (moins de {} %) ; l'écoulement hors du terrain n'est pas simulé. | Hraun fer út af landinu, líkur {} % (undir {} %); rennsli utan landsins er ekki hermt.
Lava leaves the terrain, probability {} % (above {} %); flow outside the terrain is not simulated. | La lava lascia il terreno, probabilità {} % (oltre {} %); il flusso fuori dal terreno non è simulato. | La lava sale del terreno, probabilidad {} % (más de {} %); el flujo fuera del terreno no se simula. | La lave quitte le terrain, probabilité {} % (plus de {} %) ; l'écoulement hors du terrain n'est pas simulé. | Hraun fer út af landinu, líkur {} % (yfir {} %); rennsli utan landsins er ekki hermt.
{} of {} places of interest lie outside the terrain, where nothing is computed. | {} di {} luoghi di interesse sono fuori dal terreno, dove nulla è calcolato. | {} de {} lugares de interés están fuera del terreno, donde no se calcula nada. | {} lieux d'intérêt sur {} sont hors du terrain, où rien n'est calculé. | {} af {} áhugaverðum stöðum eru utan landsins, þar sem ekkert er reiknað.
Lava leaves the terrain in {} % of the runs; flow outside the terrain is not simulated. | La lava lascia il terreno nel {} % delle simulazioni; il flusso fuori dal terreno non è simulato. | La lava sale del terreno en el {} % de las simulaciones; el flujo fuera del terreno no se simula. | La lave quitte le terrain dans {} % des simulations ; l'écoulement hors du terrain n'est pas simulé. | Hraun fer út af landinu í {} % keyrslna; rennsli utan landsins er ekki hermt.
Incomplete: {} of {} simulated eruptions, not a random sample of the plan, so probabilities are biased. | Incompleto: {} di {} eruzioni simulate, non un campione casuale del piano: le probabilità sono distorte. | Incompleto: {} de {} erupciones simuladas, no una muestra aleatoria del plan: las probabilidades están sesgadas. | Incomplet : {} éruptions simulées sur {}, pas un échantillon aléatoire du plan : les probabilités sont biaisées. | Ófullgert: {} af {} hermdum eldgosum, ekki slembiúrtak úr áætluninni, svo líkur eru skekktar.
The standard error {} that was requested is not reached. | L'errore standard {} richiesto non è raggiunto. | El error estándar {} que se pidió no se alcanza. | L'erreur standard {} demandée n'est pas atteinte. | Umbeðin staðalskekkja {} næst ekki.
{} % of the lava is still mobile in the end: it may advance further. | Il {} % della lava è ancora mobile alla fine: può avanzare ancora. | El {} % de la lava sigue móvil al final: puede avanzar más. | {} % de la lave est encore mobile à la fin : elle peut avancer encore. | {} % hraunsins er enn á hreyfingu í lokin: það kann að renna lengra.
The front may have been faster, and earlier: on {} % of its way it moved as fast as the model lets it. | Il fronte potrebbe essere stato più veloce e arrivato prima: sul {} % del suo percorso avanzava alla velocità massima del modello. | El frente pudo ser más rápido y llegar antes: en el {} % de su recorrido avanzó a la velocidad máxima del modelo. | Le front a pu être plus rapide et arriver plus tôt : sur {} % de son chemin il avançait à la vitesse maximale du modèle. | Jaðarinn kann að hafa verið hraðari og komið fyrr: á {} % leiðarinnar fór hann eins hratt og líkanið leyfir.
No simulated eruption resembles the front {} h: the nearest overlaps it by J = {}. | Nessuna eruzione simulata somiglia al fronte a {} h: la più vicina vi si sovrappone con J = {}. | Ninguna erupción simulada se parece al frente a {} h: la más cercana se solapa con él con J = {}. | Aucune éruption simulée ne ressemble au front à {} h : la plus proche le recouvre avec J = {}. | Ekkert hermt eldgos líkist jaðrinum við {} klst.: það líkasta skarast við hann með J = {}.
Front {} h and front {} h contradict each other: one has lava where the other has none at that time or later. | I fronti a {} h e a {} h si contraddicono: l'uno ha lava dove l'altro non ne ha in quel momento o dopo. | Los frentes a {} h y a {} h se contradicen: uno tiene lava donde el otro no la tiene en ese momento o después. | Les fronts à {} h et à {} h se contredisent : l'un a de la lave où l'autre n'en a pas à ce moment ou plus tard. | Jaðrarnir við {} klst. og {} klst. stangast á: annar hefur hraun þar sem hinn hefur ekkert þá eða síðar.
Front {} h does not count: it is later than the end of every simulated eruption, {} h. | Il fronte a {} h non conta: è dopo la fine di ogni eruzione simulata, {} h. | El frente a {} h no cuenta: es posterior al fin de toda erupción simulada, {} h. | Le front à {} h ne compte pas : il est postérieur à la fin de toute éruption simulée, {} h. | Jaðarinn við {} klst. telst ekki með: hann er eftir lok allra hermdra eldgosa, {} klst.
Front {} h is later than the end of every simulated eruption, {} h, with its lava at rest. | Il fronte a {} h è dopo la fine di ogni eruzione simulata, {} h, la cui lava è allora ferma. | El frente a {} h es posterior al fin de toda erupción simulada, {} h, cuya lava está entonces en reposo. | Le front à {} h est postérieur à la fin de toute éruption simulée, {} h, dont la lave est alors au repos. | Jaðarinn við {} klst. er eftir lok allra hermdra eldgosa, {} klst., þegar hraunið hefur stöðvast.
The error of the model dominates: the observations count for less than they were measured to. | L'errore del modello prevale: le osservazioni contano meno di quanto siano state misurate. | El error del modelo domina: las observaciones cuentan menos de lo que se midieron. | L'erreur du modèle domine : les observations comptent moins que leur mesure ne le permettrait. | Skekkja líkansins ræður: athuganirnar vega minna en mæling þeirra leyfði.
Location | Posizione | Ubicación | Situation | Staðsetning
up to {} % | fino a {} % | hasta {} % | jusqu'à {} % | allt að {} %
{} to {} % | da {} a {} % | de {} a {} % | de {} à {} % | {} til {} %
above {} % | oltre {} % | más de {} % | plus de {} % | yfir {} %
barrier | argine o canale | muro o canal | digue ou canal | garður eða rás
contours every {} m | curve di livello ogni {} m | curvas de nivel cada {} m | courbes tous les {} m | hæðarlínur á {} m bili
sea | mare | mar | mer | sjór
no terrain data | senza dati del terreno | sin datos del terreno | sans données de terrain | engin landgögn
Easting (km) | Est (km) | Este (km) | Est (km) | Austur (km)
Easting (m) | Est (m) | Este (m) | Est (m) | Austur (m)
Northing (km) | Nord (km) | Norte (km) | Nord (km) | Norður (km)
Northing (m) | Nord (m) | Norte (m) | Nord (m) | Norður (m)
Cells of {} m, {} × {}. | Celle di {} m, {} × {}. | Celdas de {} m, {} × {}. | Cellules de {} m, {} × {}. | Reitir {} m, {} × {}.
`;

let language = "en";
const rowsOf = (table) => table.trim().split("\n").map((line) => line.split(" | "));
const rowOf = new Map(rowsOf(WORDS).map((row) => [row[0], row]));
const wordsOf = (text) => rowOf.get(text)?.[Object.keys(LANGUAGES).indexOf(language)];
// A text in the language of the page, each {} replaced by one of the values; without values, by a number that the text has.
function t(text, ...values) {
    const number = /\d+(\.\d+)?/g, numbers = values.length || wordsOf(text) ? values : text.match(number) || [];
    const words = wordsOf(text) || (numbers === values ? "" : wordsOf(text.replace(number, "{}"))) || text;
    return numbers.length ? words.split("{}").reduce((all, part, i) => all + numbers[i - 1] + part) : words;
}

// The sentences of what has to be told of a result; their numbers stand where a row has {}.
function resultWarnings(list) {
    const say = (text) => {
        const numbers = [],
              words = `${text[0].toUpperCase()}${text.slice(1)}.`.replace(
                  /(?<![A-Za-z0-9])\d+(?:\.\d+)?/g, (n) => (numbers.push(n), "{}"));
        return t(words, ...numbers);
    };
    return (list || []).filter((w) => w.kind === "result").map((w) => say(w.text));
}

const SPOKEN = ["aria-label", "title", "placeholder"];
// The texts of the HTML itself; `kept`: what they are in English, for another language later.
const kept = new WeakMap();
function translate(root = document.body) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.nodeType === 3) {
            if (node.parentNode.closest("script, style, bdi") || !node.data.trim()) continue;
            if (!kept.has(node)) kept.set(node, node.data.trim());
            node.data = node.data.replace(node.data.trim(), () => t(kept.get(node)));
            continue;
        }
        for (const name of SPOKEN) {
            if (!node.hasAttribute(name)) continue;
            const english = (node.english ||= {});
            node.setAttribute(name, t((english[name] ||= node.getAttribute(name))));
        }
    }
    document.documentElement.lang = language;
}
