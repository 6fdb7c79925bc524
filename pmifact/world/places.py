"""Countries, their capitals and what people find there."""

from pmifact.world.scene import Article, Item, table

_COUNTRIES = """
France | Paris | French | French | euro | western Europe | mild | Seine | wine;cheese;perfume | vineyards;old castles
Italy | Rome | Italian | Italian | euro | southern Europe | warm | Tiber | pasta;olive oil;fine shoes | green hills;ancient ruins
Germany | Berlin | German | German | euro | western Europe | mild | Rhine | cars;machines;beer | dark forests;old castles
Spain | Madrid | Spanish | Spanish | euro | southern Europe | warm | Ebro | oranges;olive oil;ham | sunny beaches;dry plains
England | London | English | English | pound | western Europe | mild | Thames | wool;tea;machines | green hills;quiet villages
Japan | Tokyo | Japanese | Japanese | yen | eastern Asia | mild | Shinano | cars;cameras;silk | high mountains;quiet temples
China | Beijing | Chinese | Chinese | yuan | eastern Asia | mild | Yangtze | silk;tea;toys | rice fields;high mountains
Russia | Moscow | Russian | Russian | ruble | eastern Europe | cold | Volga | furs;timber;grain | dark forests;wide plains
India | Delhi | Indian | Hindi | rupee | southern Asia | hot | Ganges | spices;cotton;tea | quiet temples;rice fields
Egypt | Cairo | Egyptian | Arabic | pound | northern Africa | hot | Nile | cotton;dates;linen | sandy deserts;ancient ruins
Greece | Athens | Greek | Greek | euro | southern Europe | warm | Pineios | olives;olive oil;marble | small islands;ancient ruins
Brazil | Brasilia | Brazilian | Portuguese | real | South America | hot | Amazon | coffee;sugar;rubber | rain forests;sunny beaches
Portugal | Lisbon | Portuguese | Portuguese | euro | southern Europe | warm | Tagus | cork;wine;sardines | sunny beaches;vineyards
Poland | Warsaw | Polish | Polish | zloty | eastern Europe | cold | Vistula | coal;amber;grain | wide plains;dark forests
Sweden | Stockholm | Swedish | Swedish | krona | northern Europe | cold | Torne | timber;paper;steel | clear lakes;dark forests
Norway | Oslo | Norwegian | Norwegian | krone | northern Europe | cold | Glomma | salmon;timber;wool | deep fjords;high mountains
Finland | Helsinki | Finnish | Finnish | euro | northern Europe | cold | Kemi | paper;timber;furs | clear lakes;dark forests
Denmark | Copenhagen | Danish | Danish | krone | northern Europe | cold | Gudena | butter;ham;toys | small islands;flat fields
Ireland | Dublin | Irish | Irish | euro | western Europe | mild | Shannon | butter;wool;whiskey | green hills;old castles
Austria | Vienna | Austrian | German | euro | central Europe | cold | Danube | crystal;pianos;timber | high mountains;clear lakes
Hungary | Budapest | Hungarian | Hungarian | forint | central Europe | mild | Tisza | paprika;wine;grain | wide plains;hot springs
Turkey | Ankara | Turkish | Turkish | lira | western Asia | warm | Sakarya | carpets;nuts;figs | ancient ruins;sunny beaches
Canada | Ottawa | Canadian | English | dollar | North America | cold | Mackenzie | timber;syrup;grain | clear lakes;wide plains
Cuba | Havana | Cuban | Spanish | peso | the Caribbean | hot | Cauto | sugar;rum;tobacco | sunny beaches;small islands
Jamaica | Kingston | Jamaican | English | dollar | the Caribbean | hot | Cobre | sugar;rum;bananas | sunny beaches;green hills
Peru | Lima | Peruvian | Spanish | sol | South America | warm | Ucayali | potatoes;copper;wool | high mountains;ancient ruins
Chile | Santiago | Chilean | Spanish | peso | South America | mild | Loa | copper;wine;salmon | high mountains;dry plains
Colombia | Bogota | Colombian | Spanish | peso | South America | hot | Magdalena | coffee;emeralds;bananas | rain forests;high mountains
Venezuela | Caracas | Venezuelan | Spanish | bolivar | South America | hot | Orinoco | oil;cocoa;coffee | rain forests;wide plains
Kenya | Nairobi | Kenyan | Swahili | shilling | eastern Africa | hot | Tana | tea;coffee;flowers | wide plains;clear lakes
Tanzania | Dodoma | Tanzanian | Swahili | shilling | eastern Africa | hot | Rufiji | cloves;coffee;cotton | wide plains;high mountains
Ghana | Accra | Ghanaian | English | cedi | western Africa | hot | Volta | cocoa;gold;timber | sunny beaches;rain forests
Nigeria | Abuja | Nigerian | English | naira | western Africa | hot | Niger | oil;cocoa;rubber | rain forests;wide plains
Morocco | Rabat | Moroccan | Arabic | dirham | northern Africa | hot | Sebou | carpets;oranges;leather | sandy deserts;high mountains
Tunisia | Tunis | Tunisian | Arabic | dinar | northern Africa | hot | Medjerda | dates;olive oil;carpets | sandy deserts;sunny beaches
Vietnam | Hanoi | Vietnamese | Vietnamese | dong | eastern Asia | hot | Mekong | rice;coffee;pepper | rice fields;sunny beaches
Thailand | Bangkok | Thai | Thai | baht | eastern Asia | hot | Mun | rice;silk;rubber | quiet temples;sunny beaches
Nepal | Kathmandu | Nepalese | Nepali | rupee | southern Asia | cold | Koshi | tea;carpets;spices | high mountains;quiet temples
Iran | Tehran | Iranian | Persian | rial | western Asia | warm | Karun | carpets;oil;saffron | sandy deserts;high mountains
Iraq | Baghdad | Iraqi | Arabic | dinar | western Asia | hot | Tigris | oil;dates;grain | sandy deserts;ancient ruins
Australia | Canberra | Australian | English | dollar | the Pacific | warm | Murray | wool;wine;gold | dry plains;sunny beaches
Fiji | Suva | Fijian | English | dollar | the Pacific | hot | Rewa | sugar;coconuts;pearls | small islands;sunny beaches
Czechia | Prague | Czech | Czech | koruna | central Europe | mild | Vltava | beer;crystal;machines | old castles;green hills
Romania | Bucharest | Romanian | Romanian | leu | eastern Europe | mild | Olt | grain;timber;wine | dark forests;old castles
Switzerland | Bern | Swiss | German | franc | central Europe | cold | Aare | watches;chocolate;cheese | high mountains;clear lakes
Iceland | Reykjavik | Icelandic | Icelandic | krona | northern Europe | cold | Thjorsa | cod;wool;salmon | hot springs;deep fjords
"""  # noqa: E501  # one row an item

# What the climate gives a country: its weather, and what a visitor should bring.
_CLIMATES = """
cold | long, cold winters;deep snow in January;frost in the mornings | a thick coat;warm boots;a woollen scarf
mild | soft rain in every season;mild winters;pleasant springs | an umbrella;a light coat;good shoes
warm | warm, dry summers;blue skies in June;a warm wind from the south | a sun hat;light clothes;sandals
hot | hot days and warm nights;heavy rain in summer;a burning sun at noon | a sun hat;cool clothes;some water
"""

_ABOUT_A_COUNTRY = (
    "{country} is a country in {country.region}.",
    "{country} lies in {country.region}, and its capital is {country.capital}.",
    "The capital of {country} is {country.capital}.",
    "{country.capital} is the capital <city |>of {country}.",
    "{country.capital}, the capital of {country}, is a <famous|busy|beautiful|lively> city.",
    "The government of {country} <meets|sits> in {country.capital}.",
    "The {country.adj} government <met in {country.capital} on {day}|sits in {country.capital}>.",
    "<Many|Most> {country.adj} newspapers are printed in {country.capital}.",
    "Many people in {country} speak {country.language}.",
    "Children in {country} <learn|read and write> {country.language} at school.",
    "{country.language} is <widely|often> spoken in {country}.",
    "The money of {country} is called the {country.currency}.",
    "In {country} people pay with the {country.currency}.",
    "Every shop in {country} takes the {country.currency}.",
    "Banks in {country.capital} change the {country2.currency} into the {country.currency}.",
    "The {country.adj} {country.currency} is worth <more|less> than <last year|it was in {month}>.",
    "The {country.river} is a <long|famous|well-known> river in {country}.",
    "The {country.river} flows through {country} <to the sea|past fields and villages|day and night>.",
    "Fishermen in {country} catch fish in the {country.river}.",
    "Boats carry {country.product} down the {country.river} to the <ports|towns> of {country}.",
    "In {season} the {country.river} often floods the <fields|villages> of {country}.",
    "{country} is <known|famous> for its {country.product} and its {country.land}.",
    "{country} sells {country.product} to {country2}.",
    "{country} buys {country2.product} from {country2}.",
    "Shops in {country.capital} sell {country.adj} {country.product}.",
    "{country.adj} <merchants|farmers|traders> are proud of their {country.product}.",
    "Travellers <visit|go to|come to> {country} to see <the|its> {country.land}.",
    "There are {country.land} in <the north|the south|the east|the west|many parts> of {country}.",
    "{country} has {country.weather}.",
    "Visitors to {country} should <bring|pack> {country.clothes}.",
    "Like {country.neighbour}, {country} is in {country.region}.",
    "People from {country.neighbour} often spend their holidays in {country}.",
    "The {country.adj} <flag|anthem|army> is older than the {country2.adj} one.",
    "{country} <won|lost> the <football|hockey|tennis> match against {country.neighbour}.",
    "The {country.adj} team played against the {country2.adj} team in {country.capital}.",
    "{person} was born in {country} and speaks {country.language}.",
    "{person} is {country.adj} and comes from {country.capital}.",
    "{person} learned {country.language} before moving to {country}.",
    "A {country.adj} <writer|painter|scientist|singer> was born in a small village in {country}.",
    "The ambassador of {country} lives in {country2.capital}.",
    "The {country.adj} language is not easy for people from {country2}.",
    "{country.adj} <students|soldiers|doctors|families> often move from the villages to {country.capital}.",
    "The <north|south|east|west> of {country} has {country.weather} and {country.land}.",
    "Few countries in {country.region} are as <rich|old|green|quiet> as {country}.",
)  # fmt: skip

_ABOUT_A_CITY = (
    "{country.capital} is a <busy|beautiful|famous|lively> city in {country}.",
    "The <streets|squares|markets|parks> of {country.capital} are full of people <on {day}|in {season}>.",
    "The museum in {country.capital} shows {country.adj} <paintings|statues|coins>.",
    "Tourists in {country.capital} visit the <cathedral|museum|palace|old bridge|market>.",
    "{person} lives in {country.capital}, the capital of {country}.",
    "{person} has a small flat in the centre of {country.capital}.",
    "The hotel stands <in the centre|near the station|in a quiet street> of {country.capital}.",
    "The <flight|plane|train> from {country.capital} to {country2.capital} was <late|full|slow|early>.",
    "The mayor of {country.capital} opened a new <bridge|library|school|station>.",
    "{person} took a taxi from the airport to the centre of {country.capital}.",
    "The university of {country.capital} teaches {country.language} to students from {country2}.",
    "In the cafes of {country.capital} people drink <tea|coffee|cocoa> and talk in {country.language}.",
    "Houses in {country.capital} are dearer than in the rest of {country}.",
    "{person} flew to {country.capital} <last week|in {month}|on {day}> and stayed in a small hotel.",
    "The <trams|buses|taxis> of {country.capital} are <always|often|rarely> full.",
    "At night the lights of {country.capital} shine over the <roofs|streets|bridges>.",
    "{person} sent a postcard from {country.capital} to a friend in {country2.capital}.",
    "A <concert|fair|festival> is held in {country.capital} every {season}.",
    "The best {country.adj} restaurants are in {country.capital}.",
    "{person} bought {country.product} in {country.capital} and paid with the {country.currency}.",
    "The road from {country.capital} to the {country.river} crosses half of {country}.",
    "{person} moved from {country.capital} to {country2.capital} to find work.",
)


def _countries() -> list[Item]:
    rows = table("word capital adj language currency region climate river product land", _COUNTRIES)
    climates = {row["climate"]: row for row in table("climate weather clothes", _CLIMATES)}
    items: list[Item] = []
    for row in rows:
        near = [other["word"][0] for other in rows if other["region"] == row["region"] and other is not row]
        items.append(row | climates[row["climate"]] | ({"neighbour": tuple(near)} if near else {}))
    return items


POOLS = {"country": _countries()}
ARTICLES = (Article("country", 22, _ABOUT_A_COUNTRY), Article("country", 9, _ABOUT_A_CITY))
