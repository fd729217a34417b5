// serve_refusals.js: what the program refuses, in the language of the page.

// As in words.js, without the name of the object; a {} is whatever the program names there. Only what one can meet on the page: a text
// without a row stays English.
const REFUSALS = `
there is none; draw one, or a fissure | non ce n'è; disegnane una, o una fessura | no hay ninguna; dibuje una, o una fisura | il n'y en a pas ; dessinez-en une, ou une fissure | ekkert er til; teiknaðu gosop eða sprungu
has no rates; give it some, of 0 if it emits no lava | non ha portate; indicarle, 0 se non emette lava | no tiene tasas; indíquelas, 0 si no emite lava | n'a pas de débits ; donnez-en, de 0 s'il n'émet pas de lave | hefur ekkert flæði; gefðu það upp, 0 ef ekkert hraun kemur
the vent at {}, {} is outside the DEM, which reaches from {}, {} to {}, {}; give coordinates in its CRS | la bocca in {}, {} è fuori dal terreno, che va da {}, {} a {}, {}; indicare coordinate nel suo sistema | la boca en {}, {} está fuera del terreno, que va de {}, {} a {}, {}; dé coordenadas en su sistema | la bouche en {}, {} est hors du terrain, qui va de {}, {} à {}, {} ; donnez des coordonnées dans son système | gosopið í {}, {} er utan landlíkansins, sem nær frá {}, {} til {}, {}; gefðu hnit í kerfi þess
lies outside the terrain: it reaches from {}, {} to {}, {} (its CRS: {}, not transformed), the DEM from {}, {} to {}, {}; correct it | è fuori dal terreno: va da {}, {} a {}, {} ({}), il terreno da {}, {} a {}, {}; spostarlo | está fuera del terreno: va de {}, {} a {}, {} ({}), el terreno de {}, {} a {}, {}; muévalo | est hors du terrain : va de {}, {} à {}, {} ({}), le terrain de {}, {} à {}, {} ; déplacez-le | er utan landlíkansins: nær frá {}, {} til {}, {} ({}), landlíkanið frá {}, {} til {}, {}; færðu það
the end is not after the start; swap or correct them | la fine non è dopo l'inizio; scambiarli o correggerli | el final no es posterior al inicio; intercámbielos o corríjalos | la fin n'est pas après le début ; échangez-les ou corrigez-les | endirinn er ekki á eftir upphafinu; víxlaðu þeim eða leiðréttu
a rate of {} m3/s adds {} m of lava to a cell in one step, more than {}; correct the rate, for example the unit: m3/s | una portata di {} m³/s aggiunge {} m di lava a una cella in un passo, più di {}; correggere la portata, per esempio l'unità: m³/s | una tasa de {} m³/s añade {} m de lava a una celda en un paso, más de {}; corrija la tasa, por ejemplo la unidad: m³/s | un débit de {} m³/s ajoute {} m de lave à une cellule en un pas, plus de {} ; corrigez le débit, par exemple l'unité : m³/s | flæði upp á {} m³/s bætir {} m af hrauni í reit í einu skrefi, meira en {}; leiðréttu flæðið, til dæmis eininguna: m³/s
a rate of {} m3/s adds {} m of lava to a cell in one step, more than {}; correct the rate, spread the vent over at least {} cells, or give a Pclock of at most {} s | una portata di {} m³/s aggiunge {} m di lava a una cella in un passo, più di {}; correggere la portata, estendere la bocca su almeno {} celle, o indicare un Pclock di al più {} s | una tasa de {} m³/s añade {} m de lava a una celda en un paso, más de {}; corrija la tasa, extienda la boca sobre al menos {} celdas, o dé un Pclock de {} s como máximo | un débit de {} m³/s ajoute {} m de lave à une cellule en un pas, plus de {} ; corrigez le débit, étendez la bouche sur au moins {} cellules, ou donnez un Pclock d'au plus {} s | flæði upp á {} m³/s bætir {} m af hrauni í reit í einu skrefi, meira en {}; leiðréttu flæðið, dreifðu gosopinu á minnst {} reiti, eða gefðu Pclock upp á mest {} s
is 0 m high or deep; remove it | è alto o profondo 0 m; eliminarlo | tiene 0 m de altura o profundidad; bórrelo | a 0 m de hauteur ou de profondeur ; supprimez-le | er 0 m hár eða djúpur; eyddu honum
give a text of {} to {} bytes without control characters | indicare un testo da {} a {} byte senza caratteri di controllo | dé un texto de {} a {} bytes sin caracteres de control | donnez un texte de {} à {} octets sans caractères de contrôle | gefðu {} til {} bæta texta án stýristafa
give null, or a text of 1 to 255 bytes without " | indicare un testo da 1 a 255 byte senza " | dé un texto de 1 a 255 bytes sin " | donnez un texte de 1 à 255 octets sans " | gefðu 1 til 255 bæta texta án "
{} is '{}'; give one finite number and nothing after it | {} è '{}'; indicare un solo numero | {} es '{}'; dé un solo número | {} est '{}' ; donnez un seul nombre | {} er '{}'; gefðu eina tölu
{} is '{}'; give one finite number, with a point in place of the comma | {} è '{}'; indicare un solo numero, con il punto al posto della virgola | {} es '{}'; dé un solo número, con punto en lugar de coma | {} est '{}' ; donnez un seul nombre, avec un point au lieu de la virgule | {} er '{}'; gefðu eina tölu, með punkti í stað kommu
{} is '{}'; give one whole number and nothing after it | {} è '{}'; indicare un solo numero intero | {} es '{}'; dé un solo número entero | {} est '{}' ; donnez un seul nombre entier | {} er '{}'; gefðu eina heila tölu
PTvent = {} is not above PTsol = {}; lava leaves the vent hotter than it solidifies, e.g. {} and {} | PTvent = {} non è sopra PTsol = {}; la lava esce dalla bocca più calda di quando solidifica, p. es. {} e {} | PTvent = {} no está por encima de PTsol = {}; la lava sale de la boca más caliente de lo que solidifica, p. ej. {} y {} | PTvent = {} n'est pas au-dessus de PTsol = {} ; la lave sort de la bouche plus chaude qu'elle ne se solidifie, p. ex. {} et {} | PTvent = {} er ekki yfir PTsol = {}; hraun kemur heitara úr gosopi en það storknar, t.d. {} og {}
the whole terrain is at or below {} m; give a lower level | tutto il terreno è a {} m o più in basso; indicare un livello inferiore | todo el terreno está a {} m o por debajo; dé un nivel inferior | tout le terrain est à {} m ou en dessous ; donnez un niveau plus bas | allt landið er í {} m hæð eða neðar; gefðu lægri hæð
there are more than {}; remove some, or name a file in a case | ce ne sono più di {}; eliminarne alcuni | hay más de {}; borre algunos | il y en a plus de {} ; supprimez-en | þeir eru fleiri en {}; eyddu nokkrum
name: give 1 to 63 letters, digits, - or _ | nome: indicare da 1 a 63 lettere, cifre, - o _ | nombre: dé de 1 a 63 letras, cifras, - o _ | nom : donnez 1 à 63 lettres, chiffres, - ou _ | heiti: gefðu 1 til 63 stafi, tölustafi, - eða _
a case of that name is there; choose another name, or replace it | esiste già un caso con questo nome; scegliere un altro nome, o sostituirlo | ya hay un caso con ese nombre; elija otro, o sustitúyalo | un cas de ce nom existe ; choisissez un autre nom, ou remplacez-le | tilvik með þessu heiti er til; veldu annað heiti eða skiptu því út
a folder of that name has other files; choose another name | una cartella con questo nome contiene altri file; scegliere un altro nome | una carpeta con ese nombre tiene otros archivos; elija otro nombre | un dossier de ce nom a d'autres fichiers ; choisissez un autre nom | mappa með þessu heiti hefur aðrar skrár; veldu annað heiti
that run is no longer kept; run it again | quella simulazione non è più conservata; ripeterla | esa simulación ya no se guarda; repítala | cette simulation n'est plus gardée ; refaites-la | sú keyrsla er ekki lengur geymd; keyrðu aftur
that ensemble is no longer kept | quell'insieme non è più conservato | ese conjunto ya no se guarda | cet ensemble n'est plus gardé | það keyrslusafn er ekki lengur geymt
another run has begun | è iniziata un'altra simulazione | ha empezado otra simulación | une autre simulation a commencé | önnur keyrsla er hafin
another ensemble has begun | è iniziato un altro insieme | ha empezado otro conjunto | un autre ensemble a commencé | annað keyrslusafn er hafið
the terrain is being read; ask again | il terreno è in lettura; riprovare | se está leyendo el terreno; inténtelo de nuevo | le terrain est en cours de lecture ; réessayez | verið er að lesa landlíkanið; reyndu aftur
members: give 2 to 100000 | membri: indicare da 2 a 100000 | miembros: dé de 2 a 100000 | membres : donnez de 2 à 100000 | keyrslur: gefðu 2 til 100000
{}: has no member with these conditions and weights; change them | nessuna eruzione dell'archivio è così; chiedere altro | ninguna erupción de la biblioteca es así; pregunte otra cosa | aucune éruption de la bibliothèque n'est ainsi ; demandez autre chose | ekkert gos í safninu er svona; spyrðu um annað
give a number from {} to {} | indicare un numero da {} a {} | dé un número de {} a {} | donnez un nombre de {} à {} | gefðu tölu frá {} til {}
give the hours that the run lasts | indicare le ore che dura la simulazione | dé las horas que dura la simulación | donnez les heures que dure la simulation | gefðu upp hve marga klukkutíma keyrslan varir
members: the plan has {}; change its file, or what is drawn | membri: il piano ne ha {}; cambiarne il file, o ciò che è disegnato | miembros: el plan tiene {}; cambie su archivo, o lo dibujado | membres : le plan en a {} ; changez son fichier, ou ce qui est dessiné | keyrslur: áætlunin hefur {}; breyttu skrá hennar, eða því sem er teiknað
condition {}: there is no place '{}'; did you mean '{}'? | condizione {}: non c'è nessun luogo '{}'; forse '{}'? | condición {}: no hay ningún lugar '{}'; ¿quizá '{}'? | condition {} : il n'y a pas de lieu '{}' ; peut-être '{}' ? | skilyrði {}: enginn staður heitir '{}'; áttu við '{}'?
condition {}: there is no place '{}'; there are {} | condizione {}: non c'è nessun luogo '{}'; ci sono {} | condición {}: no hay ningún lugar '{}'; hay {} | condition {} : il n'y a pas de lieu '{}' ; il y a {} | skilyrði {}: enginn staður heitir '{}'; til eru {}
condition {}: there is no column {}; the name of a place stands in single quotes, such as arrival_h('{}') | condizione {}: non c'è nessuna colonna {}; il nome di un luogo va tra virgolette semplici, come arrival_h('{}') | condición {}: no hay ninguna columna {}; el nombre de un lugar va entre comillas simples, como arrival_h('{}') | condition {} : il n'y a pas de colonne {} ; le nom d'un lieu se met entre apostrophes, comme arrival_h('{}') | skilyrði {}: enginn dálkur heitir {}; heiti staðar er í einföldum gæsalöppum, svo sem arrival_h('{}')
condition {}: {}; give one expression on the columns of members.csv, such as "rate_factor > 1.2 and area_m2 < 1e6" | condizione {}: {}; indicare una sola espressione sulle colonne di members.csv, come "rate_factor > 1.2 and area_m2 < 1e6" | condición {}: {}; dé una sola expresión con columnas de members.csv, como "rate_factor > 1.2 and area_m2 < 1e6" | condition {} : {} ; donnez une seule expression sur les colonnes de members.csv, comme "rate_factor > 1.2 and area_m2 < 1e6" | skilyrði {}: {}; gefðu eina segð með dálkum members.csv, svo sem "rate_factor > 1.2 and area_m2 < 1e6"
the key is missing or wrong; open the address that \`sciara serve\` has printed | la chiave manca o è errata; aprire l'indirizzo stampato da \`sciara serve\` | la clave falta o es incorrecta; abra la dirección que ha mostrado \`sciara serve\` | la clé manque ou est fausse ; ouvrez l'adresse que \`sciara serve\` a affichée | lykilinn vantar eða hann er rangur; opnaðu slóðina sem \`sciara serve\` prentaði
the request is too large | la richiesta è troppo grande | la petición es demasiado grande | la demande est trop grande | beiðnin er of stór
{}: is no longer there; load the list again | {}: non c'è più; ricaricare l'elenco | {}: ya no está; cargue la lista de nuevo | {} : n'est plus là ; rechargez la liste | {}: er ekki lengur til; hlaðtu listanum aftur
{} files are being computed; wait for one of them | {} file sono in calcolo; attenderne uno | se están calculando {} archivos; espere a uno de ellos | {} fichiers sont en calcul ; attendez l'un d'eux | verið er að reikna {} skrár; bíddu eftir einni þeirra
`;
for (const row of rowsOf(REFUSALS)) rowOf.set(row[0], row);

function told(text) {
    for (const [english] of rowsOf(REFUSALS)) {
        const found =
            text.match(new RegExp(`^${english.split("{}").map((part) => part.replaceAll(/[^\w ]/g, "\\$&")).join("(.+?)")}$`));
        if (found) return t(english, ...found.slice(1));
    }
    return text;
}

class Refusal extends Error {
    constructor(status, {error = `status ${status}`, object = null, number = null, field = null}) {
        super();
        const said =
            error.replace(/^barrier .+: |^(vents|rates|barriers|places|keys|parameters|hours|title)( \d+)?: (\w+: )?/, "");
        Object.assign(this, {status, said, object, number, field});
    }
    get message() { return told(this.said); }
}

// What it is about; "": all of the drawing
function nameOfRefused({object, number, field, said}, drawing) {
    const part = partsOf(drawing).find((p) => p.list === object && p.number === number);
    if (!said || part) return part && said ? nameOf(part) : "";
    return object === "keys" ?
        field :
        t({vents: "Vent", rates: "Rates", barriers: "Barriers", places: "Places of interest"}[object] || "");
}
