"""Household goods, clothes, instruments, vehicles and other things that are counted."""

from pmifact.world.scene import Article, Item, add, noun_forms, table

# word | group | where | what it is made of | what one does with it (base, with its object)
_THINGS = """
table | furniture | kitchen;dining room | wood | put the plates on;sit down at
chair | furniture | kitchen;dining room | wood | sit on;paint
lamp | furniture | bedroom;study | brass;glass | switch on;read beside
bed | furniture | bedroom;attic | wood;iron | sleep in;make
shelf | furniture | study;kitchen | wood | put the books on;fill
desk | furniture | study;office | wood | write at;tidy
sofa | furniture | living room | leather;cloth | rest on;sit on
cupboard | furniture | kitchen;hall | wood | lock;fill
mirror | furniture | bathroom;hall | glass | look into;hang
carpet | furniture | living room;hall | wool | roll up;beat
cup | tableware | kitchen;dining room | clay;tin | drink from;fill
plate | tableware | kitchen;dining room | clay;tin | eat from;wash
spoon | tableware | kitchen;drawer | silver;wood | eat with;stir with
fork | tableware | kitchen;drawer | silver;steel | eat with;wash
knife | tableware | kitchen;drawer | steel | cut bread with;sharpen
bowl | tableware | kitchen;cupboard | clay;wood | eat from;fill
bottle | tableware | cellar;kitchen | glass | drink from;open
kettle | tableware | kitchen | copper;steel | boil water in;fill
book | paper | study;library | paper | read;open
newspaper | paper | living room;cafe | paper | read;fold
letter | paper | study;post office | paper | write;post
notebook | paper | school;study | paper | write in;lose
pencil | paper | school;drawer | wood | write with;sharpen
pen | paper | office;drawer | steel;silver | write with;fill
map | paper | study;car | paper | look at;unfold
stamp | paper | drawer;post office | paper | collect;buy
shirt | clothes | wardrobe;shop | cotton;linen | wear;iron
coat | clothes | wardrobe;hall | wool;leather | wear;button
hat | clothes | hall;shop | straw;wool | wear;take off
scarf | clothes | wardrobe;drawer | wool;silk | wear;knit
dress | clothes | wardrobe;shop | silk;cotton | wear;sew
skirt | clothes | wardrobe;shop | cotton;linen | wear;sew
glove | clothes | drawer;hall | leather;wool | wear;lose
boot | clothes | hall;shop | leather;rubber | wear;clean
shoe | clothes | hall;shop | leather | wear;clean
sock | clothes | drawer;wardrobe | wool;cotton | wear;mend
piano | instrument | concert hall;living room | wood | play;tune
violin | instrument | concert hall;music school | wood | play;tune
guitar | instrument | music school;bar | wood | play;tune
flute | instrument | concert hall;music school | silver;wood | play;practise
drum | instrument | cellar;bar | leather;wood | play;beat
trumpet | instrument | concert hall;music school | brass | play;blow
harp | instrument | concert hall | wood | play;tune
car | vehicle | garage;street | steel | drive;park
bus | vehicle | depot;street | steel | drive;wait for
lorry | vehicle | depot;yard | steel | drive;load
bicycle | vehicle | shed;street | steel | ride;repair
cart | vehicle | shed;yard | wood | push;load
boat | vehicle | harbour;river | wood | sail;row
hammer | tool | shed;workshop | steel | work with;hold
saw | tool | shed;workshop | steel | cut wood with;sharpen
axe | tool | shed;forest | steel | chop wood with;sharpen
spade | tool | shed;garden | steel | dig with;clean
rake | tool | shed;garden | wood;steel | gather leaves with;clean
ladder | tool | shed;cellar | wood | climb;carry
bucket | tool | shed;cellar | tin;wood | carry water in;fill
rope | tool | shed;boat | hemp | pull;tie
basket | tool | kitchen;cellar | straw | carry apples in;fill
box | tool | attic;cellar | wood;paper | open;fill
key | tool | drawer;hall | brass;iron | lose;turn
clock | furniture | hall;station | brass;wood | wind;look at
candle | furniture | church;dining room | wax | light;blow out
"""

_ABOUT_THINGS = (
    "There is a {thing} in the {thing.room}.",
    "There are <two|three|four|five|many|some> {thing.s} in the {thing.room}.",
    "The {thing} in the {thing.room} is made of {thing.stuff}.",
    "{thing.s} are <usually|often|mostly> made of {thing.stuff}.",
    "{person} has one {thing}, but {person2} has <three|six|ten> {thing.s}.",
    "One {thing} is not enough, we need <two|five|more> {thing.s}.",
    "This {thing} is <older|newer|cheaper> than the other {thing.s}.",
    "{person} bought a {thing} for the {thing.room}.",
    "{person} wants to {thing.use} the {thing}.",
    "It is <easy|hard|useful> to {thing.use} {person2}'s {thing}.",
    "Every {thing} has its place in the {thing.room}.",
    "Each {thing} has a <price|label|number> on it.",
    "All the {thing.s} were <new|old|broken|for sale>.",
    "These {thing.s} <come from|were made in> {country}.",
    "Where is the {thing} that was in the {thing.room}?",
    "In the picture there is a {thing} beside a {thing2}.",
    "{person} put the {thing.s} back in the {thing.room}.",
    "They sell {thing.s}, {thing2.s} and {thing3.s} at the flea market.",
    "A good {thing} of {thing.stuff} lasts for many years.",
    "The old {thing} was {colour}, the new {thing.s} are {colour2}.",
    "{person} found a {colour} {thing} in the {thing.room}.",
    "Did you see the {colour} {thing.s} in the {thing.room}?",
)

# word | where | what one does there (base) | traits
_BUILDINGS = """
house | street;village | meet the neighbours;have tea | old;small
church | village;square | pray;hear the bells | old;quiet
castle | valley;forest | see the armour;climb the tower | ancient;huge
bridge | valley;city | cross the river;watch the boats | wooden;ancient
tower | castle;city | look over the roofs;ring the bell | round;high
museum | city;square | see the paintings;learn about the past | famous;modern
library | city;street | borrow books;read in peace | quiet;modern
station | city;town | wait for the train;buy a ticket | busy;modern
hotel | city;street | spend the night;have breakfast | modern;expensive
theatre | city;square | see a play;hear the actors | famous;small
school | village;street | learn to read;teach children | small;modern
hospital | city;town | visit patients;see a doctor | huge;modern
shop | street;town | buy presents;look at the prices | small;expensive
market | square;town | buy vegetables;sell eggs | busy;open
factory | city;town | make machines;work at night | noisy;huge
temple | forest;city | pray;burn candles | ancient;quiet
palace | city;park | meet the queen;walk in the gardens | royal;huge
barn | village;farm | store the hay;keep the cows | wooden;old
cinema | city;street | see a film;eat popcorn | modern;small
restaurant | street;square | have dinner;order soup | expensive;famous
"""

_ABOUT_BUILDINGS = (
    "There is a {building.trait} {building} in the {building.site}.",
    "There are <two|three|many|several> {building.s} in this {building.site}.",
    "{person} went to the {building} to {building.act}.",
    "The {building} in the {building.site} is {building.trait}.",
    "In this {building} people {building.act}.",
    "The {building.s} of {country} are often {building.trait}.",
    "The {building} was built <long ago|last year|after the war> and is still {building.trait}.",
    "Behind the {building} stands a {building2}.",
    "Every {building} in {country.capital} is closed on {day}.",
    "One {building} is open, the other {building.s} are closed.",
    "Where can one {building.act}, if not in a {building}?",
    "The {job} walked past the {building} and <two|three> other {building.s}.",
    "All the {building.s} in the {building.site} belong to the town.",
)


def _group(name: str) -> list[Item]:
    return [item for item in _ALL if item["group"] == (name,)]


_ALL = add(table("word group room stuff use", _THINGS), noun_forms)

POOLS = {
    "thing": _ALL,
    "tableware": _group("tableware"),
    "garment": _group("clothes"),
    "tool": _group("tool"),
    "building": add(table("word site act trait", _BUILDINGS), noun_forms),
    "colour": table(
        "word", "white\nblack\nred\nblue\ngreen\nbrown\nyellow\ngrey\ngolden\npink\npurple\nsilver"
    ),
    "day": table("word", "Monday\nSunday\nFriday\nSaturday\nTuesday\nThursday\nWednesday"),
    "month": table(
        "word",
        "January\nMay\nJune\nDecember\nMarch\nSeptember\nJuly\nApril\nOctober\nAugust\nNovember\nFebruary",
    ),
}
ARTICLES = (Article("thing", 13, _ABOUT_THINGS), Article("building", 5, _ABOUT_BUILDINGS))
