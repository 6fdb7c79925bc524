"""Fruit, vegetables, drinks and dishes; where they grow and how people eat them."""

from pmifact.world.scene import Article, Item, add, noun_forms, table

# word | taste | colour | where it grows | what is made of it
_FRUITS = """
apple | sweet;crisp | red;green | orchard;garden | pie;juice;sauce
orange | sweet;juicy | bright | grove;plantation | juice;jam
banana | sweet;soft | yellow | plantation | cake;pudding
lemon | sour;juicy | yellow | grove | lemonade;tea;pudding
pear | sweet;juicy | green;yellow | orchard;garden | juice;pie
cherry | sweet;juicy | red | orchard;garden | pie;jam
grape | sweet;juicy | green;purple | vineyard | juice;jam
plum | sweet;sour | purple | orchard;garden | jam;cake
peach | sweet;soft | yellow;red | orchard;grove | pie;jam
strawberry | sweet;soft | red | garden;field | jam;cake;pudding
melon | sweet;juicy | green;yellow | field | juice;salad
raspberry | sweet;soft | red | garden;forest | jam;pudding
apricot | sweet;soft | yellow | orchard;grove | jam;cake
fig | sweet;soft | purple;green | grove;garden | jam;cake
pineapple | sweet;juicy | yellow | plantation | juice;cake
mango | sweet;juicy | yellow;green | plantation;grove | juice;sauce
lime | sour;juicy | green | grove;plantation | lemonade;sauce
blueberry | sweet;sour | blue | forest;garden | pie;jam
gooseberry | sour;crisp | green | garden | jam;sauce
"""

# The same columns as above: both are "produce".
_VEGETABLES = """
potato | mild;soft | brown | field | soup;salad;stew
tomato | juicy;mild | red | garden;greenhouse | soup;sauce;salad
carrot | crisp;sweet | red;yellow | garden;field | soup;salad;cake
onion | sharp;bitter | white;red | garden;field | soup;sauce;stew
cabbage | mild;bitter | green;white | field | soup;stew;salad
bean | mild;soft | green;brown | garden;field | soup;stew
pea | sweet;soft | green | garden;field | soup;stew
pepper | sharp;crisp | red;green | greenhouse;garden | sauce;salad;stew
cucumber | mild;crisp | green | greenhouse;garden | salad;soup
leek | mild;sharp | green;white | garden;field | soup;pie
radish | sharp;crisp | red;white | garden | salad
turnip | bitter;mild | white;purple | field | stew;soup
pumpkin | sweet;mild | yellow | field;garden | soup;pie
mushroom | mild;soft | brown;white | forest;cellar | soup;sauce;stew
beetroot | sweet;mild | purple;red | garden;field | soup;salad
"""

_PRODUCE = (
    "The {produce} is a {produce.colour} {produce.kind}.",
    "A {produce.taste} {produce} is a good {produce.kind} for {produce.dish}.",
    "{produce.s} are <usually|mostly|often> {produce.colour} and {produce.taste}.",
    "A ripe {produce} is {produce.taste}.",
    "{produce.s} grow in the {produce.grove}.",
    "The farmer grows {produce.s} and {produce2.s} in the {produce.grove}.",
    "{person} picked <an old basket|a bag|a bowl> of {produce.s} in the {produce.grove}.",
    "{person} made {produce.dish} from the {produce.s}.",
    "{produce.dish} made with {produce.s} tastes {produce.taste}.",
    "We need <two|three|four|six> {produce.s} for the {produce.dish}.",
    "{person} ate a {produce} <after lunch|with some bread|in the kitchen|before school>.",
    "A {produce} costs less than a {produce2} at the market.",
    "The {produce.colour} {produce} lay on the <plate|kitchen table|counter> beside a {produce2}.",
    "The cook peeled the {produce} and cut it into <small|thin> pieces.",
    "At the market {person} bought <five|ten|some|a few> {produce.s} and {grocery}.",
    "In {season} the {produce.s} are <cheap|ripe|fresh>.",
    "{person} likes {produce.s} but does not like {produce2.s}.",
    "One {produce} fell out of the basket and rolled under the table.",
    "{country} sends {produce.s} to {country2}.",
    "Is there a {produce} in the fridge?",
    "Every {produce} in this box is {produce.taste}.",
    "A <monkey|hare|crow|squirrel> stole a {produce} from the {produce.grove}.",
)

# word | vessel | taste | heat | when
_DRINKS = """
water | glass;bottle | clear;fresh | cold | with every meal;after sport
tea | cup;pot | bitter;mild | hot | in the afternoon;at breakfast
coffee | cup;pot | bitter;strong | hot | in the morning;after dinner
milk | glass;jug | mild;fresh | cold | at breakfast;before bed
wine | glass;bottle | strong;fruity | cool | with dinner;at weddings
beer | glass;bottle | bitter;fresh | cool | in the evening;with sausages
juice | glass;bottle | sweet;fruity | cold | at breakfast;at picnics
lemonade | glass;jug | sweet;sour | cold | in summer;at picnics
cocoa | cup;mug | sweet;mild | hot | in winter;before bed
cider | mug;bottle | sour;fruity | cool | in autumn;in the evening
"""

_ABOUT_A_DRINK = (
    "{person} drinks a {beverage.vessel} of {beverage} <every day|on {day}|>.",
    "{person} drank a {beverage.vessel} of {beverage.heat} {beverage} {beverage.time}.",
    "{beverage} is served {beverage.heat}.",
    "Good {beverage} tastes {beverage.taste}.",
    "Many people drink {beverage} {beverage.time}.",
    "The waiter brought <two|three> glasses of {beverage.heat} {beverage} to the table.",
    "Would you like some {beverage} or a {beverage2.vessel} of {beverage2}?",
    "{person} poured the {beverage} into a {beverage.vessel}.",
    "The {beverage} was {beverage.taste} and {beverage.heat}.",
    "On {day} {person} had {beverage} {beverage.time}.",
    "{person} ordered {beverage} and {dish}.",
    "There is no more {beverage} in the {beverage.vessel}.",
    "Some like {beverage}, others would rather drink {beverage2}.",
)

# word | when | taste | cooked how (past participle) | eaten with | seasoned with
_DISHES = """
bread | breakfast;supper | fresh;crisp | baked | butter;cheese;honey | salt;flour
soup | lunch;supper | hot;salty | boiled | bread;pepper | salt;garlic;parsley
rice | lunch;dinner | hot;plain | boiled | vegetables;fish | salt;saffron
pasta | lunch;dinner | hot;plain | boiled | tomato sauce;cheese | salt;garlic;oil
cheese | breakfast;supper | salty;mild | sliced | bread;wine | garlic;parsley
salad | lunch;supper | fresh;crisp | mixed | oil;salt;bread | vinegar;oil;parsley
chicken | lunch;dinner | tender;crisp | roasted | rice;vegetables | salt;garlic;ginger
beef | dinner | tender;salty | roasted | potatoes;beans | salt;garlic;mustard
fish | lunch;dinner | fresh;salty | fried | lemon;potatoes | salt;parsley;butter
cake | tea;dessert | sweet;soft | baked | cream;coffee | sugar;cinnamon;flour
ham | breakfast;supper | salty;tender | sliced | bread;mustard | mustard;honey
stew | dinner;supper | hot;tender | boiled | bread;potatoes | salt;garlic;vinegar
porridge | breakfast | hot;plain | boiled | milk;honey | sugar;cinnamon;honey
pie | dinner;dessert | sweet;crisp | baked | cream | sugar;cinnamon;butter
bacon | breakfast | salty;crisp | fried | eggs;bread | salt;mustard
pudding | dessert;dinner | sweet;soft | boiled | cream;sauce | sugar;ginger;honey
chocolate | dessert;tea | sweet;bitter | melted | cream;milk | sugar;cinnamon;ginger
ice cream | dessert;lunch | sweet;cold | mixed | fruit;nuts | sugar;honey
"""

_ABOUT_A_DISH = (
    "We <had|ate> {dish} for {dish.meal}.",
    "{person} likes {dish} with {dish.side}.",
    "{dish} with {dish.side} is <a good|a simple|the usual> meal <on {day}|in {season}|>.",
    "The {dish} was {dish.taste} and the {dish2} was {dish2.taste}.",
    "{person} ate <too much|some|a little> {dish} and drank {beverage}.",
    "The {dish} is {dish.cooked} in the kitchen and served with {dish.side}.",
    "For {dish.meal} there will be {dish.taste} {dish} and {beverage}.",
    "The cook puts a little {dish.spice} in the {dish}.",
    "Would you like more {dish}, {person}?",
    "Nobody serves better {dish} than {person}.",
    "The restaurant <by the river|near the station|in the square> serves {dish} with {dish.side}.",
    "{person} and {person2} shared the {dish} and the {dish2}.",
    "The smell of {dish} filled the <kitchen|house|street>.",
    "The {dish} needs <more|less|a little> {dish.spice}.",
)


def _produce(rows: str, kind: str) -> list[Item]:
    return [
        {**item, "kind": (kind,)} for item in add(table("word taste colour grove dish", rows), noun_forms)
    ]


_FRUIT, _GREENS = _produce(_FRUITS, "fruit"), _produce(_VEGETABLES, "vegetable")

POOLS = {
    "fruit": _FRUIT,
    "vegetable": _GREENS,
    # Common kinds of both first, as the draws favour early items.
    "produce": [item for pair in zip(_FRUIT, _GREENS, strict=False) for item in pair]
    + _FRUIT[len(_GREENS) :],
    "beverage": table("word vessel taste heat time", _DRINKS),
    "dish": table("word meal taste cooked side spice", _DISHES),
    "grocery": table(
        "word",
        "some bread\na loaf of bread\na bag of flour\nsome cheese\na bottle of milk\nten eggs\nsome rice",
    ),
}
ARTICLES = (
    Article("produce", 9, _PRODUCE),
    Article("beverage", 3, _ABOUT_A_DRINK),
    Article("dish", 4, _ABOUT_A_DISH),
)
