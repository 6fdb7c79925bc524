"""Animals with their young, voices and homes; the weather and the seasons."""

from collections.abc import Mapping

from pmifact.world.english import plural, verb_forms
from pmifact.world.scene import Article, Item, add, noun_forms, table

# word | group | young | voice | home | place it is met | food | cover | traits | movement (past)
_ANIMALS = """
dog | pet | puppy | bark | kennel | garden;street | meat;bones | brown fur | loyal;friendly | ran;jumped
cat | pet | kitten | meow | basket | garden;kitchen | fish;milk | soft fur | clever;lazy | crept;jumped
horse | farm animal | foal | neigh | stable | meadow;field | hay;oats | a long mane | strong;noble | galloped;ran
cow | farm animal | calf | moo | barn | meadow;field | grass;hay | a smooth hide | calm;gentle | walked;wandered
sheep | farm animal | lamb | bleat | fold | meadow;valley | grass;clover | thick wool | shy;gentle | walked;wandered
pig | farm animal | piglet | grunt | sty | yard;field | corn;turnips | pink skin | fat;clever | ran;wandered
goat | farm animal | kid |  | shed | valley;yard | leaves;grass | rough hair | stubborn;lively | climbed;jumped
donkey | farm animal |  | bray | stable | yard;field | hay;thistles | grey hair | stubborn;patient | walked;wandered
hen | farm bird | chick | cluck | coop | yard;garden | grain;worms | brown feathers | busy;nervous | hopped;ran
duck | farm bird | duckling | quack | hut | pond;river | weeds;snails | smooth feathers | noisy;cheerful | swam;waddled
goose | farm bird | gosling | honk | pen | pond;meadow | grass;grain | white feathers | noisy;angry | waddled;swam
lion | wild animal | cub | roar | den | savanna;grassland | meat;zebras | golden fur | proud;fierce | crept;ran
wolf | wild animal | pup | howl | lair | forest;valley | meat;hares | grey fur | hungry;fierce | crept;ran
bear | wild animal |  | growl | cave | forest;valley | berries;honey | thick fur | heavy;slow | wandered;climbed
fox | wild animal |  |  | burrow | forest;field | hens;mice | red fur | sly;clever | crept;ran
tiger | wild animal |  |  | thicket | jungle;valley | meat;deer | striped fur | fierce;silent | crept;jumped
elephant | wild animal |  | trumpet | grove | savanna;jungle | leaves;bark | grey skin | huge;patient | walked;wandered
giraffe | wild animal |  |  | grove | savanna;grassland | leaves;twigs | spotted skin | tall;gentle | walked;ran
zebra | wild animal |  |  |  | savanna;grassland | grass;leaves | striped skin | shy;quick | galloped;ran
monkey | wild animal |  | chatter | treetop | jungle;forest | bananas;nuts | brown fur | funny;clever | climbed;jumped
kangaroo | wild animal | joey |  | bush | grassland;desert | grass;leaves | soft fur | quick;shy | hopped;jumped
deer | wild animal | fawn |  | thicket | forest;meadow | grass;leaves | smooth fur | shy;graceful | ran;jumped
hare | wild animal | leveret |  | hollow | field;meadow | clover;cabbages | brown fur | quick;nervous | hopped;ran
rabbit | pet | bunny |  | hutch | garden;meadow | carrots;clover | soft fur | quiet;shy | hopped;jumped
mouse | small animal |  | squeak | hole | kitchen;cellar | cheese;grain | grey fur | tiny;quiet | crept;ran
squirrel | small animal |  |  | nest | forest;park | nuts;seeds | red fur | quick;lively | climbed;jumped
hedgehog | small animal | hoglet |  | hollow | garden;park | snails;worms | sharp spines | shy;slow | crept;wandered
frog | small animal |  | croak | puddle | pond;marsh | flies;worms | wet skin | tiny;noisy | hopped;jumped
snake | reptile |  | hiss | hole | desert;jungle | mice;frogs | dry scales | silent;dangerous | crept;slid
turtle | reptile |  |  |  | lagoon;river | weeds;shrimps | a hard shell | slow;patient | swam;crept
crocodile | reptile |  |  |  | river;marsh | fish;meat | hard scales | dangerous;silent | swam;crept
owl | wild bird | owlet | hoot | hollow | forest;park | mice;frogs | soft feathers | wise;silent | flew;glided
eagle | wild bird | eaglet | scream | nest | valley;canyon | hares;fish | dark feathers | proud;fierce | flew;glided
swan | water bird | cygnet |  | nest | lake;river | weeds;snails | white feathers | graceful;proud | swam;glided
crow | wild bird |  | caw | nest | field;park | seeds;worms | black feathers | clever;noisy | flew;hopped
sparrow | wild bird |  | chirp | nest | garden;park | seeds;crumbs | brown feathers | tiny;cheerful | flew;hopped
penguin | water bird |  |  |  | bay;island | fish;shrimps | smooth feathers | funny;clumsy | waddled;swam
gull | water bird |  |  | nest | bay;harbour | fish;crumbs | white feathers | noisy;hungry | flew;glided
whale | sea animal |  |  |  | ocean;bay | shrimps;fish | smooth skin | huge;gentle | swam;dived
dolphin | sea animal |  | whistle |  | ocean;bay | fish;squid | smooth skin | friendly;clever | swam;dived
shark | sea animal |  |  |  | ocean;lagoon | fish;seals | rough skin | dangerous;silent | swam;dived
seal | sea animal |  |  | cave | bay;harbour | fish;squid | short fur | lazy;playful | swam;dived
crab | sea animal |  |  | hole | bay;lagoon | weeds;shrimps | a hard shell | tiny;clumsy | crept;wandered
octopus | sea animal |  |  | cave | lagoon;bay | crabs;shrimps | soft skin | clever;shy | swam;crept
bee | insect |  | buzz | hive | garden;meadow | nectar;pollen | golden hair | busy;tiny | flew;crept
ant | insect |  |  | anthill | forest;garden | crumbs;seeds | a hard shell | busy;tiny | crept;ran
butterfly | insect |  |  | bush | garden;meadow | nectar;leaves | bright wings | graceful;tiny | flew;glided
spider | insect |  |  | web | cellar;garden | flies;moths | thin legs | silent;patient | crept;climbed
"""  # noqa: E501  # one row an item

_ABOUT_AN_ANIMAL = (
    "The {animal} is a {animal.group}.",
    "{animal.s} and {animal2.s} are <not alike|very different|seldom friends>.",
    "A young {animal} is called a {animal.young}.",
    "The {animal.young} <follows|followed> the {animal} across the {animal.place}.",
    "The {animal} <feeds|fed|protects|protected|looked for> her {animal.young}.",
    "The {animal.young} is still too small to find {animal.food} without the {animal}.",
    "Every {animal.young} grows up to be a {animal}.",
    "The {animal} had <two|three|four|five> {animal.young_s} <in {season}|this year|in {month}>.",
    "{animal.young_s} <play|sleep|hide> in the {animal.place} <while the {animal} rests|all day>.",
    "The {animal.young} of the {animal} was <asleep|hungry|playful|afraid>.",
    "{person} found a <lost|hungry|sleepy> {animal.young} in the {animal.place}.",
    "The {animal.young} drank some water and fell asleep beside the {animal}.",
    "{animal.s} <eat|like|look for|live on> {animal.food}.",
    "The {animal} <is eating|was eating|ate|has found> {animal.food} in the {animal.place}.",
    "The {animal} <lives|sleeps|slept|hides> in a {animal.home}.",
    "The {animal} <came|comes> out of a {animal.home} <in the morning|at night>.",
    "A {animal} may be seen in a {animal.place} <in {season}|at night|in the morning|>.",
    "{person} saw <two|three|many|several> {animal.s} in the {animal.place}.",
    "{person} saw a {animal.trait} {animal} near the {animal.place}.",
    "{animal.s} {animal.voice} <at night|in the morning|when they are hungry|when strangers come>.",
    "Why do {animal.s} {animal.voice}?",
    "A {animal} can {animal.voice} <loudly|very softly|for hours>.",
    "The {animal} {animal.voice_s} when it is <hungry|afraid|happy|angry>.",
    "{person} heard a {animal} {animal.voice} in the {animal.place}.",
    "The {animal.trait} {animal} {animal.voice_past} <loudly|softly|all night|at {person}>.",
    "The {animal} was {animal.voice_ing} in the {animal.home} <all night|this morning|>.",
    "When {animal.s} {animal.voice}, <the {animal2.s} listen|everybody wakes up>.",
    "The {animal} has {animal.cover}.",
    "{animal.s} have {animal.cover} and are <quite|very|often> {animal.trait}.",
    "The {animal.trait} {animal} {animal.move} <through|across|out of> the {animal.place}.",
    "A {animal.trait} {animal} {animal.move} away when it saw the {animal2}.",
    "Children <like|love> to watch the {animal.s} because they are {animal.trait}.",
    "Is the {animal} <bigger|smaller|faster|slower|older> than the {animal2}?",
    "{person} <drew|painted|photographed> a {animal} with {animal.cover}.",
    "One {animal} was {animal.trait}, but the other {animal.s} were not.",
    "{animal.s} {animal.voice}, and {animal2.s} run away.",
    "The book tells the story of a {animal.trait} {animal} and a {animal2.trait} {animal2}.",
    "{country} has many {animal.s} but few {animal2.s}.",
    # Only some animals have a keeper, a hunter or a vet (see `_WAYS`).
    "The {animal.keeper} keeps <ten|twenty|many|a few> {animal.s} in the {animal.home}.",
    "Every morning the {animal.keeper} <feeds|counts|cleans> the {animal.s} and opens the {animal.home}.",
    "The {animal.keeper} gave the {animal} {animal.food} and fresh water.",
    "The {animal.keeper} sold a {animal} and two {animal.young_s} at the market.",
    "The {animal} is one of the most useful animals on the farm, says the {animal.keeper}.",
    "The {animal.hunter} followed the {animal} through the {animal.place} but could not find it.",
    "There are fewer {animal.s} in the {animal.wild} every year.",
    "Hunters no longer come to the {animal.place}, but {animal.visitor} come to take pictures of {animal.s}.",
    "Away from the {animal.wild}, a {animal} in a zoo needs <space|company|rest> and {animal.food}.",
    "In the {animal.wild} the {animal} looks for {animal.food}, mostly at night.",
    "{person} has a {animal.kept} {animal} and two {animal.young_s} at home.",
    "The {animal} {animal.rest} on the sofa next to {person}.",
    "{person} bought {animal.food} and a {animal.toy} for the {animal}.",
    "The {animal.healer} looked at the {animal} and gave it some medicine.",
)

_SEASONS = """
spring | March;April;May | mild;fresh;rainy | rain showers;soft winds;bright mornings | plant the first seeds;open the windows;clean the house | flowers bloom;birds return;trees turn green
summer | June;July;August | hot;dry;sunny | sunshine;thunderstorms;warm nights | swim in the lake;sit in the shade;eat ice cream | bees buzz in the meadows;grain grows tall;children play outside
autumn | September;October;November | windy;wet;golden | fog;cold rain;strong winds | pick apples;gather mushrooms;rake the leaves | leaves fall;birds fly south;days grow shorter
winter | December;January;February | cold;dark;white | snow;frost;ice | light the fire;wear warm coats;skate on the lake | rivers freeze;bears sleep;nights are long
"""  # noqa: E501  # one row an item

_ABOUT_A_SEASON = (
    "In {season} the <weather|air> is {season.feel}.",
    "{season} brings {season.sky}.",
    "{season.month} is a month in {season}.",
    "In {season.month} people often {season.act}.",
    "Every {season} <families|children|people> {season.act}.",
    "{season.event} in {season}.",
    "When {season} comes, {season.event}.",
    "There was {season.sky} <on {day}|in {season.month}|all week>.",
    "The forecast for {day} promises {season.sky}.",
    "{person} likes {season} because {season.event}.",
    "{person} likes to {season.act} in {season.month}.",
    "Last {season} was <very|rather|unusually> {season.feel} in {country}.",
    "{season} in {country.capital} is {season.feel}.",
    "After {season.sky} the <roads|fields|hills|streets> were {season.feel}.",
    "The {season.feel} days of {season.month} are good for {animal.s}.",
    "It rained on {day}, but {day2} was <dry|sunny|bright>.",
    "The <wind|storm|rain|fog> <came|began> on {day} and <stayed|lasted> until {day2}.",
    "{person} was born in {season.month}, on a {season.feel} {day}.",
    "School begins on a {day} in {month}.",
    "The <sun|moon> rose over the <hills|sea|roofs> on a {season.feel} evening in {season.month}.",
)

# What some groups of animals have beside their own row: fields that let the last sentences above be written.
_WAYS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "farm animal": {"keeper": ("farmer",)},
    "farm bird": {"keeper": ("farmer",)},
    "wild animal": {"hunter": ("hunter", "ranger"), "wild": ("wild",), "visitor": ("tourists", "visitors")},
    "pet": {"kept": ("tame",), "rest": ("sleeps", "sits"), "toy": ("ball", "collar"), "healer": ("vet",)},
}


def _animals() -> list[Item]:
    items: list[Item] = []
    for row in add(table("word group young voice home place food cover trait move", _ANIMALS), noun_forms):
        extra = dict(_WAYS.get(row["group"][0], {}))
        if "young" in row:
            extra["young_s"] = (plural(row["young"][0]),)
        if "voice" in row:
            extra |= {f"voice_{form}": (value,) for form, value in verb_forms(row["voice"][0]).items()}
        items.append({**row, **extra})
    return items


POOLS = {"animal": _animals(), "season": table("word month feel sky act event", _SEASONS)}
ARTICLES = (Article("animal", 18, _ABOUT_AN_ANIMAL), Article("season", 3, _ABOUT_A_SEASON))
