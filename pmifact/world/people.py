"""People: first names, and the pairs of roles that differ in gender alone."""

from pmifact.world.english import plural
from pmifact.world.scene import Article, Item, table

_MEN = """
Tom Peter Daniel Martin Robert Henry Oliver David Simon Walter Philip Edward Victor Hugo Felix Oscar
Leon Arthur Samuel Thomas Adam Bruno Carl Edgar Ernest Gilbert Harold Julian Kevin Louis Marco
Norman Otto Paul Ralph Stefan Theo Vincent Albert Boris
"""
_WOMEN = """
Anna Maria Clara Emma Laura Julia Sarah Helen Nora Alice Martha Sophie Eva Lucy Emily Ruth Irene
Judith Karen Linda Monica Nina Olga Paula Rachel Sandra Teresa Ursula Vera Wendy Amelia Bertha
Cecilia Diana Edith Flora Greta Hannah Ida Johanna
"""

_MALE = {"he": ("he",), "his": ("his",), "him": ("him",), "himself": ("himself",)}
_FEMALE = {"he": ("she",), "his": ("her",), "him": ("her",), "himself": ("herself",)}

# What only men or only women wear here; the rest of a pair's row holds for both.
_DRESS = {
    "ruler": (
        ("a velvet jacket", "his armour", "his sword belt"),
        ("a silk gown", "her pearl necklace", "a lace collar"),
    ),
    "faith": (("his brown hood", "his leather sandals"), ("her white veil", "her black habit")),
}
_USUAL_DRESS = (("a dark suit", "his tie", "his waistcoat"), ("a long dress", "her earrings", "her bonnet"))

# male | female | group | where | traits | what the role did; {role.his} follows the gender
_PAIRS = """
king | queen | ruler | on the throne;in the palace | wise;proud;mighty | ruled the kingdom for many years;wore a heavy golden crown;signed the new law;received the ambassadors of {country};led the army of the kingdom;opened the parliament
prince | princess | ruler | in the palace;in the castle garden | young;charming;spoiled | was the heir to the throne;slept in the tower of the castle;danced at the royal ball;waited for a royal wedding;rode a white pony;refused to marry for money
duke | duchess | ruler | in the castle;on the estate | rich;proud;haughty | owned the whole duchy;gave a banquet on the estate;hunted foxes with the other nobles;collected rents in the duchy;married into an old noble family
emperor | empress | ruler | in the marble palace;in the capital of the empire | mighty;cruel;feared | ruled the empire from sea to sea;conquered the lands in the east;built a marble temple;sent the legions of the empire to war;was carried in a golden litter
baron | baroness | ruler | in the castle;in the great hall | rich;haughty;lonely | lived in the old barony in the hills;quarrelled with the knights;locked the gates of the barony;sold the silver of the barony;kept hounds and falcons
father | mother | family | at home;in the kitchen | kind;patient;tired | put the children to bed;cooked dinner for the children;cared for the baby;read to the children before sleep;worried about the children;scolded the children for the noise
son | daughter | family | at home;at school | young;clever;lazy | did the homework for school;moved out of the parents' house;wrote a letter to the parents;asked the parents for money;passed the examination at school;was the eldest child of the parents
brother | sister | family | at home;in the next room | younger;elder;funny | shared a room with the twins;borrowed the bicycle without asking;fought about the toys;shared secrets with the twins;hid the toys under the bed
uncle | aunt | family | at the family party;in the country | rich;funny;generous | came to visit the cousins on Sunday;brought presents for the cousins;took the cousins to the circus;invited the cousins for the holidays;told jokes to the cousins
nephew | niece | family | at the family party;at the door | young;cheerful;polite | stayed for the holidays;thanked the relatives for the presents;inherited the house from the relatives;spent the holidays with the relatives;played with the other cousins
grandfather | grandmother | family | in the armchair by the fire;on the porch | old;gentle;wise | told stories of the old days;slept in the armchair by the fire;remembered the war and the old days;looked for {role.his} spectacles;walked with a stick;gave sweets to the grandchildren
grandson | granddaughter | family | on the porch;at the old house | young;cheerful;lively | listened to stories of the old days;visited the old couple after school;carried the shopping for the old couple;fetched the spectacles from the armchair
husband | wife | family | at home;at the church | loving;jealous;faithful | promised to be faithful;planned the anniversary of the marriage;bought a ring for the anniversary;argued about the marriage;wished to save the marriage;slept on the other side of the bed
groom | bride | family | at the altar;at the church | nervous;happy;radiant | stood before the altar;said yes before the altar;put the ring on the finger;cut the wedding cake;danced at the wedding until midnight;thanked the wedding guests
widower | widow | family | at the grave;in the empty house | lonely;sad;poor | mourned at the grave;put flowers on the grave;lived alone in the empty house;received a small pension;never married again
man | woman | person | in the street;at the bus stop | tall;busy;strange | read a newspaper on the bus;waited at the bus stop;worked in an office in town;crossed the busy street;asked the way to the station;carried a heavy suitcase
boy | girl | child | in the playground;at school | little;shy;cheeky | played in the playground;climbed the tree in the playground;lost a tooth;flew a kite;laughed at the clown;fell off the swing in the playground
gentleman | lady | person | at the opera;in the park | polite;elegant;noble | bowed to the guests at the opera;took a cab to the opera;strolled in the park with a dog;carried an umbrella in the park;listened politely
actor | actress | stage | on the stage;at the theatre | famous;gifted;vain | played the leading part in the film;learned the part by heart;bowed on the stage;received a prize for the film;rehearsed the play at the theatre;became a star of the screen
hero | heroine | stage | at the end of the story;in the novel | brave;noble;fearless | saved the village from the dragon;fought the dragon;won the battle in the last chapter;escaped from the dungeon;returned in the last chapter of the novel
wizard | witch | stage | in the enchanted forest;in the old tower | wicked;old;mysterious | cast a spell on the village;mixed a magic potion;turned the toad into a stone;read the book of spells;vanished with a magic word;stirred the potion in the cauldron
waiter | waitress | service | in the restaurant;at the bar | polite;quick;friendly | brought the menu to the table;wrote down the order;carried a tray to the table;forgot to bring the bill;recommended the menu of the day;dropped a tray of glasses
host | hostess | service | at the door;at the party | generous;cheerful;polite | welcomed the guests at the door;gave a party for the guests;introduced the guests to each other;filled the glasses at the party;said goodnight to the last guests
steward | stewardess | service | on the plane;in the cabin | friendly;calm;quick | closed the cabin door of the plane;showed the passengers to their seats;served drinks on the plane;calmed the passengers during the flight;counted the passengers in the cabin
monk | nun | faith | in the chapel;in the cloister | pious;quiet;humble | prayed in the chapel at dawn;lived behind the walls of the cloister;sang psalms in the chapel;copied the holy book;took a vow of silence;tended herbs in the cloister
abbot | abbess | faith | in the abbey;in the chapel | pious;strict;learned | led the abbey for years;blessed the pilgrims;wrote the rule of the abbey;gave shelter to the pilgrims;rang the great bell of the abbey
"""  # noqa: E501  # one row an item

_ABOUT_A_ROLE = (
    "The {role} {role.did}.",
    "The {role.trait} {role} {role.did}.",
    "The {role.trait} {role} {role.did}, and everyone <watched|was glad|was surprised|talked about it>.",
    "The {role} {role.did}, and {role.he} <was proud of it|never talked about it|did not regret it>.",
    "Once there was a {role} who {role.did}.",
    "<It is said that|The story tells how|We all know that|Nobody knew that> the {role} {role.did}.",
    "{person} <said|thought|heard> that the {role} {role.did}.",
    "The {role} was {role.place} when {person} <came in|called|arrived>.",
    "The {role} <sat|stood|waited> {role.place} and looked at {role.his} <hands|shoes|watch|letters>.",
    "The {role} put on {role.dress}.",
    "The {role} wore {role.dress} and was {role.place}.",
    "The {role.trait} {role} lost {role.his} <key|glove|ring|purse> {role.place}.",
    "The {role} said that {role.he} was <tired|hungry|happy|sorry>.",
    "Everyone <knew|talked about|remembered|asked about> the {role} because {role.he} was {role.trait}.",
    "The {role} and the {role.mate} were {role.place}.",
    "The {role} <smiled|nodded|waved> at the {role.mate}, who <smiled|nodded|waved> at {role.him}.",
    "Who is the {role.trait} {role} {role.place}?",
    "{role.he} is a {role.trait} {role}.",
    "The {role} looked at {role.himself} in the mirror.",
    "The {role} asked {role.himself} why {role.he} was so {role.trait}.",
    "{person} met the {role} {role.place} and spoke to {role.him}.",
    "When the {role} was a child, {role.he} lived in {country}.",
    "The {role.s} of the old stories were {role.trait}.",
    "<Two|Three|Many|Some> {role.s} were {role.place}.",
    "The {role} took off {role.dress} and washed {role.his} face.",
    "The {role} gave {role.his} <horse|dog|ring|watch> to the {role.mate}.",
)


def _names() -> list[Item]:
    men = [{"word": (name,), **_MALE} for name in _MEN.split()]
    women = [{"word": (name,), **_FEMALE} for name in _WOMEN.split()]
    return [person for couple in zip(men, women, strict=True) for person in couple]


def _roles() -> list[Item]:
    items: list[Item] = []
    for row in table("male female group place trait did", _PAIRS):
        shared = {name: row[name] for name in ("group", "place", "trait", "did")}
        (male,), (female,) = row["male"], row["female"]
        his_dress, her_dress = _DRESS.get(row["group"][0], _USUAL_DRESS)
        him = {"word": (male,), "s": (plural(male),), "mate": (female,), "dress": his_dress}
        her = {"word": (female,), "s": (plural(female),), "mate": (male,), "dress": her_dress}
        items += [{**shared, **_MALE, **him}, {**shared, **_FEMALE, **her}]
    return items


POOLS = {"person": _names(), "role": _roles()}
ARTICLES = (Article("role", 17, _ABOUT_A_ROLE),)
