//! Which language Latin letters are in, by a vote of what tells.
//!
//! Each piece of [`TELLING`] that a search has is a point for its language; a space in it is
//! where a word begins or ends. What several languages have stands in each, so that it decides
//! nothing between them; particles of names (*von*, *van*, *los*) stand in none. Its first
//! pieces are commonest words and telling letters, its last ones were counted: of the words of
//! Chromium's own messages, those of four letters at most that are eight times as frequent as in
//! any other of these languages, and thirty times as in English.

use super::Telling;

/// A language, and what tells it.
type Tells = (&'static str, &'static str);

#[rustfmt::skip]
const TELLING: [Tells; 17] = [
    ("en", " the | of | and | to | in | is | are | was | for | how | what | why | when | who | which | where \
        | with | from | by | on | at | an | a | i | as | do | does | did | can | no | it | its | or | best \
        | new | weather | forecast | price | prices | news | history | meaning | time | tide | tides | list \
        | map | year | world | near | review |ing |ings |th|wh|sh|ght|ness |tion |ment |ed |ck |ee|oo|ow |\
        ould|ly |ty |ry |gy |hy "),
    ("de", " der | die | das | und | ist | sind | mit | für | den | dem | des | ein | eine | einer | im | in \
        | zu | zur | zum | auf | aus | bei | nach | wie | was | wann | wo | warum | wer | wird | wurde \
        | hat | es | an | über | nicht | als | auch | oder | vor | gegen |ß|ä|ö|ü|sch|ung |ungen |keit |\
        heit |lich|isch|eit|tz|pf|zw|ee|schaft |ieren |ache |achen |über|ühr|ung|eich|iche|eite| ein| zu|\
        chen|sich|such|schl|auf| üb|zei| aus|wei|erun|fen|halt|zug|fü|ück|eben|fehl|gerä|ehen|ße|ern |beit|\
        wend|gabe|chs|unte|peic|seit|prü|nzu|rlau|atei"),
    ("fr", " le | la | les | l | d | de | des | du | et | est | un | une | en | au | aux | à | a | dans | pour \
        | par | sur | que | qui | quoi | qu | quel | quelle | comment | pourquoi | quand | où | ce | avec \
        | sans | pas | il | on | sont | ne |é|è|ê|ç|œ|à|â|ô|î|û|eux |eaux |eau |ée |ées |eur |eurs |tion |\
        ment |ique |iques |oir |oire |ais |té |euse |ée| dé|éc|ionn|isé|ouv|aire|ux |rez |ité|teur|sez |èr|\
        pré|ié|tez |uve|déf|éfi|iez |êt|dép|élec|rép|sél|ateu| tél|aux|éta|voy|suiv|sé |télé|onné|oir|uvr|\
        éra|isez|tiqu"),
    ("es", " la | de | del | y | en | es | un | una | que | qué | por | para | con | se | su | cómo | como \
        | cuál | cuándo | cuando | dónde | donde | quién | más | al | lo | son | está | a | no | o |ñ|¿|¡|á|\
        é|í|ó|ú|ción |ciones |idad |mente |ados |iento|ía |ías |ero |eros |oria |tros |dos |cos |tas |ras |\
        ión |ción|ació|añ|ña|carg|ía|rán |arán|dad |ecci|ccio|cció|lecc|caci|pue|uier"),
    ("pt", " o | a | os | as | do | da | dos | das | de | e | em | no | na | um | uma | que | por | para | com \
        | não | como | qual | quando | onde | quem | é | ao | mais | se |ã|õ|ç|á|é|í|ó|ú|ê|ô|â|ção |ções |\
        dade |mente |nh|lh|inho |eiro |eira |ais |ória|tros |dos |cos |tas |ras |ões|ário|zaç|\
        caç|taç|ilha|atua|ênc|aix|alh|ível|eito|lho| atu|veis|tilh|gem "),
    ("it", " il | lo | la | i | gli | le | di | del | della | dello | dei | delle | e | è | un | una | in | a \
        | al | alla | per | con | che | come | perché | quando | dove | chi | cosa | quale | si | non \
        | sono | da | dal | nel | nella | sul | più | l | o |à|è|é|ì|ò|ù|zione |zioni |ità |mente |glia|glie|\
        tto |tti |cch|aggio |oria | dell | dall | nell | sull |zion|azio|ato |izz|ati |zza|tà |oni |ità|\
        ggio|sci|rà |ttiv| rip|tazi| agg|aric|gior|vi |ripr|igli|rti |rica|cari|cca|iato|risp|ggiu|iorn|erà|\
        locc|nno |iut|ezio| rim|gli |segn|zazi"),
    ("nl", " de | het | een | en | in | is | op | te | voor | met | dat | die | hoe | wat | waarom | wanneer \
        | wie | waar | niet | zijn | bij | aan | om | ook | naar | uit | door | worden | was | of |ij|aa|ee|\
        oo|uu|sch|heid |uis |ieuw|cht |lijk|ische |eer|oor|aar|jk|gev| aan|zoe|erd |voe|oek| toe|atie|waa|\
        tie |oeg|voo|brui|ruik| uit|ctie|woo|eken|vens|eili|leid|ilig|gebr|sleu|leut|eid |deel|ehee|eeld|\
        ebru|evei| ond|aal |fout|ouw"),
    ("sv", " och | det | att | en | ett | i | är | på | som | för | med | av | den | till | inte | hur | vad \
        | när | var | varför | vem | om | från | de | vid | har |å|ä|ö|ör |ligt |heter |fö| upp|webb|ngar|\
        stäl|anvä|nvän|vänd|sök|äker| åt|äns|över|säke| säk| öv|ärd|åll|hål|lats|rna |lnin|yck|ladd|ång|\
        täll|ända|läg|rats|uppg|rad |namn|ägg|ehå|skär|kärm|uppd|ökni|knin|bbpl"),
    ("da", " og | i | at | det | en | et | den | til | er | på | som | for | med | af | hvad | hvordan \
        | hvornår | hvorfor | hvem | hvor | ikke | de | om | fra | ved | har |å|æ|ø|øj|hed |lse |ligt |æn|øg|\
        æl|ræ|sæ|brug|ærk|heds|æs|æt|væ|adga|rhed|udvi|læ|dgan|nhed| adg| udv|ruge|opda|hæ|mæ|oply|gæ|øb|\
        ærdi|æv| kø|indl|ndst|dvid|indh|genn|ghed|dsti|åb|gør"),
    ("nb", " og | i | å | det | en | et | den | til | er | på | som | for | med | av | hva | hvordan | når \
        | hvorfor | hvem | hvor | ikke | de | om | fra | ved | har |å|æ|ø|het |lse |lig |kj|øy|sjo|øk|asj\
        | opp|jon|gjen| gje|kje|oppd|utvi|bruk|tles|kobl|ruke|uker|kk |jerm| kj|etts|nns|tvid|nksj|unks|oppg|\
        nnh|oppr|ttst|jør|ilko|sje|sord|nhol|bake|lbak"),
    ("fi", " ja | on | ei | että | oli | mikä | miten | milloin | miksi | kuka | missä | ovat | se | kun | tai |\
        ä|ö|ää|aa|uu|kk|ssa |ssä |stä |llä |inen |iset |ksi |yy|uo|yö|jen |ä |äy|aa |ttä|uks|äi|sivu|kse|\
        kirj|ksi|iin| kä|asi |iä| kir|kuva|lait|rkk|äli| siv|pä|oist|hd|ttu |irja|aik|vus|tuk|uoj|än |yks|\
        isä|sela|ytä|llis|toj|oitu|aitt|suo"),
    ("pl", " i | w | z | na | do | o | a | się | nie | jest | to | jak | co | czy | dla | od | po | kiedy \
        | dlaczego | gdzie | kto | przez | oraz | są |ł|ą|ę|ś|ć|ź|ż|ń|ó|sz|cz|rz|ość |ów |ego |nie |ych |ć |\
        wy|owa|prz|ać|nie|ą |ąc|ła|zy|j |dz|wani|nia|ę |cj|ją|ów|oś|ał|ię|nych|sł|łą|zeni|ło|tę|śc|ąd|kow|\
        łu|wane|zą|ęp|uż|awi|ję"),
    ("cs", " a | i | v | na | se | je | že | to | jak | co | od | z | do | kdy | proč | kde | kdo | jsou \
        | který | podle |ř|ě|ů|č|š|ž|ý|á|í|é|ú|nost |ých |ní |ství |př|ře|ně|ný|ři|ován|ož|ání|ě |vy|že|vý|\
        če|už|jí|vě|eč|ří|ých|čn|ač|mě|ěn|ý |ním|jte |ů |ět|ži|še|ého|ovat|ná |cí |ší|tě|št|ové|prav"),
    ("tr", " ve | bir | bu | için | ile | ne | nasıl | nedir | neden | zaman | kim | nerede | mi | mı | da \
        | de | en | olan |ğ|ı|ş|ç|ö|ü|ları|leri |lik |mek |mak |dır |yor |nın |ın|ı |nı|rı|ız|ıl|dı|iş|ır|sı|\
        ği|tı|lı|şt|niz |yı|leri|aş|iy|iniz|zı|iğ| ya|şi|ilir|ğı|ağ| ç|ış|rini|eğ|çe|şl|ıy|mı| ş| gö|ığ|ş "),
    ("hu", " a | az | és | egy | hogy | nem | mi | mit | hogyan | miért | mikor | hol | ki | volt | mint |ő|ű|ö|\
        ü|á|é|í|ó|ú|sz|ság |ség |ás|meg|zé|hoz |ő |lő|cso|ző|lye|áll|gy|hely|köz|ése |ítá|szt|sít|ől|ész|ók|\
        kez|ált|sá|nak |nek |tő|já|szn|llít|tése|ék|ssz| jel|znál|apc|tja|íté|pcs|rő|szá"),
    ("ro", " și | de | la | cu | în | din | pe | un | o | a | este | sunt | ce | cum | care | pentru | când \
        | unde | cine | nu | mai | sau | al | ale |ă|ț|ș|â|î|ului |ilor |ție |iune |ă |ți|tă|ăr|ză| î|aț|eaz|\
        în|șt|ea |că|nț|ului|eș|area|ră|lă|ii |ăt|lui |lor |cț|dă|să|tul |uril|pă|iț|iș|mă|eț|ăs|ezi |și|\
        rul |oare|ând|ăț|uri "),
    ("vi", " là | của | và | có | không | cho | các | một | những | gì | khi | nào | thế | tại |đ|ơ|ư|ạ|ả|ấ|ầ|ậ|\
        ắ|ặ|ế|ề|ể|ệ|ọ|ố|ồ|ộ|ớ|ờ|ở|ợ|ụ|ủ|ứ|ừ|ữ|ự|ị|kh|nh|thá|thủ| đ|nh | nh| ng| kh|iệ| x|ên |àn|iế|hư|ản|iể|\
        ện|ạn|hạ|ất |ướ|ơn|ến|ối|hấ|ết |oá|ơ |ại|iê|ườ| chu|ốn|ươ|oạ|ài |ô |ân |đi|ượ|ả |ền |ìn"),
];

/// A piece weighs so much against what the searcher's own language is given beforehand.
const A_PIECE: usize = 2;

/// The language of a search, if one has more for it than each other. `own`, the searcher's,
/// has a little beforehand, and English where that is written otherwise. Fewer than `pieces`
/// that tell it are no language.
pub(super) fn spoken(
    text: &str,
    own: &str,
    pieces: usize,
    telling: Telling,
) -> Option<&'static str> {
    let counts = |piece: &&str| match telling {
        Telling::All => true,
        Telling::Pieces => piece.chars().nth(1).is_some(),
    };
    let kept = |it: char| {
        if it.is_alphabetic() || "¿¡".contains(it) {
            it
        } else {
            ' '
        }
    };
    let mut words: String = text.chars().map(kept).collect();
    words.insert(0, ' ');
    words.push(' ');
    let words = words.to_lowercase().replace(['¿', '¡'], "¿ ");
    let own = if own.is_empty() { "en" } else { own };
    let (mut best, mut most, mut is_tied) = (None, 0, false);
    for (language, pieces) in TELLING {
        let pieces = pieces.split('|').filter(counts);
        let told = pieces.filter(|piece| words.contains(piece));
        let found = told.count() * A_PIECE;
        let points = found + usize::from(language == own);
        is_tied = if points > most {
            false
        } else {
            is_tied || points == most
        };
        if points > most {
            (best, most) = (Some(language), points);
        }
    }
    best.filter(|_| !is_tied && most >= pieces * A_PIECE)
}
