"""Adjectives, their degrees, and what they describe."""

from pmifact.world.english import comparison
from pmifact.world.scene import Article, add, table

# word | class | opposite | nouns that can have the quality
_QUALITIES = """
big | size | small | house;dog;ship;garden
small | size | big | house;box;garden;village
old | age | young | church;tree;bridge;house
young | age | old | tree;horse;teacher;man
tall | size | short | tower;tree;man;building
short | size | tall | pencil;rope;letter;man
long | size | short | road;river;rope;letter
strong | body | weak | horse;man;rope;wall
weak | body | strong | rope;bridge;player;voice
fast | speed | slow | car;train;horse;runner
slow | speed | fast | train;turtle;cart;bus
heavy | weight | light | box;stone;cart;sack
light | weight | heavy | bag;basket;feather;boat
warm | heat | cold | coat;room;lake;house
cold | heat | warm | wind;lake;room;cellar
hot | heat | cool | stove;bath;soup;oven
cool | heat | hot | cellar;breeze;room;drink
rich | wealth | poor | banker;merchant;town;king
poor | wealth | rich | village;beggar;country;widow
happy | mood | sad | child;bride;man;dog
sad | mood | happy | song;clown;story;film
clean | order | dirty | kitchen;window;street;shirt
dirty | order | clean | kitchen;window;boot;shirt
bright | light | dark | star;lamp;room;colour
dark | light | bright | corridor;cellar;forest;room
deep | shape | shallow | lake;well;valley;sea
shallow | shape | deep | pond;bowl;river;ditch
wide | shape | narrow | road;river;valley;street
narrow | shape | wide | street;bridge;path;valley
high | shape | low | mountain;wall;tower;shelf
low | shape | high | wall;table;bridge;hill
loud | sound | quiet | bell;drum;voice;crowd
quiet | sound | loud | village;library;street;voice
soft | touch | hard | pillow;blanket;bed;voice
hard | touch | soft | stone;bed;chair;bench
thick | shape | thin | wall;book;rope;blanket
thin | shape | thick | book;rope;blanket;wall
kind | character | mean | nurse;teacher;king;woman
brave | character | timid | soldier;knight;sailor;child
clever | character | stupid | girl;fox;lawyer;plan
wise | character | stupid | judge;king;owl;woman
fresh | taste | stale | loaf;salad;egg;breeze
sweet | taste | sour | apple;cake;melon;pear
sharp | touch | blunt | knife;needle;sword;axe
dry | weather | wet | barn;field;shirt;towel
wet | weather | dry | street;coat;field;shirt
cheap | price | dear | ticket;hotel;lamp;bag
noisy | sound | quiet | street;party;engine;crowd
funny | mood | serious | clown;story;film;joke
lazy | character | busy | cat;boy;student;servant
busy | character | lazy | street;market;clerk;bee
"""

_ABOUT_QUALITIES = (
    "The {quality.noun} is <very|quite|rather|too> {quality}.",
    "A {quality} {quality.noun} is <better than none|not always good|hard to find>.",
    "{person} has never seen such a {quality} {quality.noun}.",
    "Is the {quality.noun} {quality}, {person}?",
    "The {quality.noun} was as {quality} as the other {quality.noun}.",
    "The {quality.noun} was {quality} and the {quality2.noun} was {quality2}.",
    "How {quality} this {quality.noun} is!",
    "The opposite of {quality} is {quality.opposite}.",
    "This {quality.noun} is {quality.er} than the <other|last|old> one.",
    "The new {quality.noun} is <much|even|far> {quality.er} than the <old one|one in {country.capital}>.",
    "{person} <is looking for|would like|was hoping for> a {quality.er} {quality.noun}.",
    "Which {quality.noun} is {quality.er}, <this one or that one|yours or mine>?",
    "The {quality.noun} is getting {quality.er} and {quality.er}.",
    "Nothing is {quality.er} than <this|that|our> {quality.noun}, says {person}.",
    "The {quality.noun} in {country} is {quality.er} than the {quality.noun} in {country2}.",
    "It is the {quality.est} {quality.noun} <in the town|in the world|of all|in {country}>.",
    "In {country.capital} {person} saw the {quality.est} {quality.noun} of all.",
    "This was the {quality.est} {quality.noun} that {person} had ever seen.",
    "The {quality.est} {quality.noun} is not always the best.",
    "One of the {quality.est} things here is the {quality.noun}.",
    "Of the three, the last {quality.noun} was the {quality.est}.",
)

POOLS = {"quality": add(table("word group opposite noun", _QUALITIES), comparison)}
ARTICLES = (Article("quality", 13, _ABOUT_QUALITIES),)
