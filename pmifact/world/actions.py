"""Verbs in all their forms, and what people do all day."""

from pmifact.world.english import verb_forms
from pmifact.world.scene import Article, add, table

# base | class | what it is done to, with its place
_VERBS = """
eat | food | a {fruit};the {dish};{dish} with {dish.side};a bowl of {vegetable.s}
drink | food | a {beverage.vessel} of {beverage};{beverage};too much {beverage}
read | words | a book;the newspaper;a long novel;poems in the library;letters by the lamp
write | words | a letter;a short poem;a novel;postcards to friends;in a diary
buy | trade | {fruit.s} at the market;a new {thing};two {garment.s};a ticket
sell | trade | {fruit.s} at the market;old {garment.s};a used {thing};tickets
play | fun | football;chess;cards with friends;in the park
watch | senses | a film;the birds;the football match;the boats on the river
walk | motion | to the station;in the park;along the river;up the hill
work | effort | in the office;in the garden;on the farm;very hard
run | motion | to the station;in the park;along the beach;up the hill
cook | kitchen | {dish};the {vegetable.s};a big pot of stew;dinner for friends
wash | cleaning | the dishes;the windows;the car;the {tableware.s};the {garment.s}
clean | cleaning | the kitchen;the windows;the car;the stairs;the {tool.s}
paint | craft | the wall;a picture of the sea;the garden fence;a portrait
sing | music | a song;in the choir;an old folk song;at the concert
dance | music | at the party;the tango;to loud music;in the village hall
swim | motion | in the lake;in the river;across the bay;in the cold sea
ride | motion | a bicycle;a {rideable};along the beach;to school
drive | motion | to work;the old car;a lorry;along the coast
travel | motion | to {country};through {country};by train;along the coast
visit | people | {country.capital};the museum;a friend in hospital;an old castle
learn | mind | {country.language};the rules;to play the piano;new words
teach | mind | {country.language};the rules of chess;small children;new words
study | mind | history;{country.language};the map;the old documents
help | people | the neighbours;an old friend;in the kitchen;on the farm
build | craft | a house;a wooden boat;a stone wall;a bridge
repair | craft | the roof;a bicycle;the clock;a broken {tool};the garden fence
carry | hands | a heavy box;the {tableware.s} upstairs;a bag of {vegetable.s};wood for the fire
open | hands | the door;the window;a bottle of wine;the letter;the box
close | hands | the door;the window;the box;the shutters;the gate
plant | garden | {vegetable.s};roses;an apple tree;seeds in the garden
grow | garden | {vegetable.s};roses;tomatoes in the greenhouse;{fruit.s}
pick | garden | {fruit.s};flowers;berries in the forest;mushrooms
water | garden | the roses;the garden;the young trees;the {vegetable.s}
dig | garden | a deep hole;in the garden;a ditch;for treasure
bake | kitchen | bread;an apple pie;a chocolate cake;biscuits
boil | kitchen | rice;the {vegetable.s};water for tea;eggs
fry | kitchen | fish;eggs and bacon;onions in butter;mushrooms
roast | kitchen | a chicken;beef;the {vegetable.s};nuts over the fire
chop | kitchen | onions;the {vegetable.s};parsley;wood for the fire
peel | kitchen | potatoes;an orange;onions;carrots
stir | kitchen | the soup;the sauce;the porridge;the tea
taste | senses | the soup;the wine;the sauce;a little cheese
smell | senses | the roses;the soup;smoke;the sea air
win | fun | the game;a prize;the race;the chess match
throw | hands | the ball;a stone;snowballs;old {garment.s} away
catch | hands | the ball;a big fish;the last train;a thief
kick | hands | the ball;a stone;an old bucket;the ball over the fence
push | hands | the cart;the heavy box;the old car;the door
pull | hands | the rope;the heavy cart;the sledge;weeds in the garden
climb | motion | a tree;the mountain;over the wall;the tower
jump | motion | over the wall;into the lake;over a ditch;off the rock
fly | motion | to {country};a kite;over the mountains;to {country.capital}
sail | motion | to {country};along the coast;around the island;across the bay
cross | motion | the river;the street;the bridge;the mountains
talk | speech | about {country};to the neighbours;about the weather;on the telephone
speak | speech | {country.language};to the neighbours;very softly;on the telephone
tell | speech | a story;the truth;a joke;old tales by the fire
explain | speech | the rules;the problem;the plan;the way to the station
whisper | speech | a secret;in the library;the answer;a name
shout | speech | for help;at the dog;across the street;the answer
answer | speech | the question;the telephone;the letter;all the questions
ask | speech | a question;for help;the way to the station;about the price
call | speech | a taxi;the doctor;an old friend;the neighbours
thank | people | the neighbours;the doctor;an old friend;the guests
invite | people | the neighbours;friends to dinner;an old friend;ten guests
feed | animals | the {animal.s};the {pet};the birds in winter;the ducks
brush | animals | the {pet};the {rideable};the coat;the carpet
draw | craft | a picture;a map;a {animal};the old church
sew | cloth | a shirt;a dress;curtains;a button on the coat
knit | cloth | a scarf;warm socks;a pullover;gloves
weave | cloth | a carpet;baskets;a blanket;cloth
mend | cloth | the net;a torn shirt;warm socks;the old coat
sweep | cleaning | the floor;the yard;the stairs;the leaves
wipe | cleaning | the table;the windows;the blackboard;the dishes
scrub | cleaning | the floor;the stairs;the pots;the dishes
cut | hands | the grass;the bread;paper;the cake;the rope
order | trade | {dish};coffee and cake;a taxi;two {garment.s}
pay | trade | the bill;the rent;for the tickets;in cash
borrow | trade | a book;some money;a {tool};an umbrella
lend | trade | a book;money to a friend;a {tool};an umbrella
choose | trade | a present;a new {garment};a good wine;the colour
break | hands | the ice on the pond;old plates;sticks for the fire;stones with a hammer
hide | hands | the key;the presents;a letter;behind the door
move | effort | the furniture;to {country};to another town;the piano
wait | effort | for the bus;at the station;in the rain;for a letter
rest | effort | in the shade;after the long walk;under a tree;on the sofa
practise | music | the piano;the violin;every song;for the concert
"""

# Verbs that English seldom puts into the progressive.
_NOTIONS = """
know | mind | the answer;the way to the station;all the rules;the song
see | senses | a {animal};the mountains;smoke over the roofs;old friends
hear | senses | a {animal};music;the church bells;a loud noise
remember | mind | the war;the name;the birthday;the old house
forget | mind | the key;an umbrella;the name;the birthday
find | mind | a coin;the lost key;old letters;an old {tool}
lose | mind | a glove;the key;the game;an umbrella
understand | mind | {country.language};the question;the joke;all the rules
"""

_ABOUT_A_DAY = (
    # past
    "Yesterday {person} {verb.past} {verb.obj}.",
    "{person} {verb.past} {verb.obj} <last week|last night|on {day}|two days ago|in {month}>.",
    "{person.he} {verb.past} {verb.obj} and then {verb2.past} {verb2.obj}.",
    "First {person.he} {verb.past} {verb.obj}, and later {person.he} {verb2.past} {verb2.obj}.",
    "When {person} was <young|a child|at school>, {person.he} {verb.past} {verb.obj}.",
    "After <breakfast|lunch|dinner|work|school> {person} {verb.past} {verb.obj}.",
    "{person} and {person2} {verb.past} {verb.obj} <together|last week|on {day}>.",
    "Who {verb.past} {verb.obj} <yesterday|last night|>?",
    "Last {season} {person} {verb.past} {verb.obj}.",
    # third person
    "{person} {verb.s} {verb.obj} every <day|morning|evening|week|{day}>.",
    "{person} <often|always|sometimes|never|rarely|usually> {verb.s} {verb.obj}.",
    "{person.he} {verb.s} {verb.obj} and {verb2.s} {verb2.obj} <every day|on {day}|>.",
    "On {day} {person} usually {verb.s} {verb.obj}.",
    "Nobody {verb.s} {verb.obj} as often as {person}.",
    "Today {person} {verb.s} {verb.obj}.",
    # base
    "{person} wants to {verb} {verb.obj}.",
    "{person} will {verb} {verb.obj} <tomorrow|next week|on {day}>.",
    "{person.he} <can|must|should|could|would like to> {verb} {verb.obj}.",
    "{person} did not {verb} {verb.obj} <yesterday|last week|>.",
    "It is <hard|easy|fun|good> to {verb} {verb.obj}.",
    "{person} and {person2} like to {verb} {verb.obj} and to {verb2} {verb2.obj}.",
    "Let us {verb} {verb.obj} and then {verb2} {verb2.obj}.",
    "Please {verb} {verb.obj}, {person}.",
    "They <always|often|never> {verb} {verb.obj} on {day}.",
    # present participle
    "{person} is {verb.ing} {verb.obj} <now|at the moment|again|>.",
    "{person} was {verb.ing} {verb.obj} when {person2} <came in|called|arrived>.",
    "{person.he} <likes|loves|enjoys|hates> {verb.ing} {verb.obj}.",
    "{person} is good at {verb.ing} {verb.obj} and {verb2.ing} {verb2.obj}.",
    "{verb.ing} {verb.obj} is <fun|hard work|a good idea|not easy>.",
    "{person} stopped {verb.ing} {verb.obj} and went home.",
    "They were {verb.ing} {verb.obj} while {person} was {verb2.ing} {verb2.obj}.",
    # past participle
    "{person} has <just|already|never|often> {verb.part} {verb.obj}.",
    "{person.he} had {verb.part} {verb.obj} before {person2} <came in|called|arrived>.",
    "Have you ever {verb.part} {verb.obj}?",
    "They have {verb.part} {verb.obj} and {verb2.part} {verb2.obj}.",
    # verbs without a progressive
    "Yesterday {person} {notion.past} {notion.obj}.",
    "{person} {notion.past} {notion.obj} <last week|on {day}|in {month}>.",
    "{person} <often|always|sometimes|never> {notion.s} {notion.obj}.",
    "{person} will {notion} {notion.obj} <tomorrow|next week|>.",
    "{person.he} did not {notion} {notion.obj}, but {person.he} {verb.past} {verb.obj}.",
    "{person} has <already|never|often> {notion.part} {notion.obj}.",
    "{person.he} {notion.past} {notion.obj} and {verb.past} {verb.obj}.",
)

POOLS = {
    "verb": add(table("word group obj", _VERBS), verb_forms),
    "notion": add(table("word group obj", _NOTIONS), verb_forms),
    "rideable": table("word", "horse\ndonkey\nbicycle"),
    "pet": table("word", "dog\ncat\nrabbit"),
}
ARTICLES = (Article("person", 50, _ABOUT_A_DAY),)
