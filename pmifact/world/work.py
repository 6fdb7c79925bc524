"""Professions: the places, tools and products of people's work."""

from pmifact.world.english import plural
from pmifact.world.scene import Article, Item, table

# word | sector | place | tool | what they do (plural verb) | what a workday held (past) | traits
_PROFESSIONS = """
baker | craft | bakery | whisk | bake bread;bake cakes and rolls | kneaded the dough;took the hot rolls out | cheerful;busy
farmer | land | farm | plough | grow grain;keep cows | brought in the harvest;milked the cows | hardy;patient
teacher | school | school | textbook | teach children;correct homework | explained the rule to the class;corrected the homework | patient;strict
doctor | health | hospital | stethoscope | treat patients;cure the sick | examined the patients;wrote a prescription | calm;careful
sailor | sea | port | compass | sail across the sea;hoist the sails | steered through the storm;looked for land | brave;hardy
gardener | land | garden | spade | plant flowers;cut hedges | watered the roses;raked the leaves | patient;careful
chef | food | kitchen | pan | cook meals;invent new dishes | tasted the soup;cooked for eighty guests | busy;strict
painter | art | studio | brush | paint portraits;mix colours | painted a portrait;mixed the colours | gifted;patient
carpenter | craft | workshop | chisel | build furniture;saw planks | built a wooden table;sawed the planks | skilled;careful
blacksmith | craft | forge | hammer | shoe horses;shape hot iron | made a set of horseshoes;shaped the hot iron | strong;skilled
judge | law | court | gavel | hear cases;pass sentences | heard the witnesses;passed a sentence | fair;strict
pilot | travel | airport | headset | fly planes;train for emergencies | landed the plane safely;flew through the clouds | calm;skilled
miner | land | mine | pickaxe | dig for coal;work underground | dug for coal;worked deep underground | hardy;strong
librarian | school | library | catalogue | lend books;help readers | sorted the returned books;helped the readers | quiet;learned
dentist | health | clinic | drill | fill teeth;treat toothache | filled two teeth;pulled a bad tooth | careful;calm
mechanic | craft | garage | wrench | repair engines;change tyres | repaired the engine;changed the tyres | skilled;busy
barber | service | salon | razor | cut hair;trim beards | trimmed the beards;cut hair all morning | talkative;cheerful
scientist | science | laboratory | microscope | make experiments;publish results | repeated the experiment;measured the samples | learned;curious
astronomer | science | observatory | telescope | study the stars;watch the planets | watched the planets;discovered a comet | curious;patient
fisher | sea | harbour | net | catch fish;mend nets | caught a boat full of cod;came back before the storm | hardy;patient
tailor | craft | shop | needle | sew suits;shorten trousers | sewed a new suit;measured the cloth | careful;skilled
miller | food | mill | sieve | grind grain;sell flour | ground the grain;filled sacks with flour | strong;busy
priest | faith | church | bible | read the mass;bless the people | read the mass;blessed the newborn child | humble;learned
banker | money | bank | ledger | lend money;keep accounts | counted the money;refused the loan | careful;polite
clerk | money | office | typewriter | answer letters;fill in forms | stamped the forms;answered forty letters | careful;quick
brewer | food | brewery | barrel | brew beer;store hops | brewed a dark beer;stored the hops | cheerful;skilled
butcher | food | market | knife | sell meat;make sausages | sold ten pounds of beef;made sausages | strong;cheerful
soldier | state | barracks | rifle | guard the border;march in step | marched for miles;guarded the gate | brave;loyal
lawyer | law | court | briefcase | defend clients;draw up contracts | defended the thief;drew up a contract | clever;talkative
potter | craft | pottery | wheel | shape clay;glaze bowls | shaped the wet clay;glazed the bowls | skilled;quiet
weaver | craft | mill | shuttle | weave cloth;dye wool | wove a blanket;dyed the wool | skilled;patient
photographer | art | studio | camera | take pictures;print photographs | took pictures of the bride;printed the photographs | curious;gifted
violinist | art | concert hall | bow | play music;tune strings | played two sonatas;tuned the strings | gifted;proud
beekeeper | land | meadow | smoker | gather honey;look after bees | gathered the honey;moved the hives | calm;patient
shepherd | land | pasture | crook | guard sheep;shear wool | guarded the flock;sheared the sheep | patient;hardy
firefighter | state | fire station | ladder | put out fires;save people | put out the fire;saved a child | brave;strong
driver | travel | depot | map | drive lorries;carry goods | drove the lorry north;unloaded the goods | careful;talkative
nurse | health | ward | bandage | comfort patients;give medicine | changed the bandages;comforted the patients | gentle;busy
chemist | science | pharmacy | pestle | sell medicine;mix powders | weighed the powder;mixed the medicine | careful;learned
jeweller | craft | shop | magnifier | set diamonds;polish gold | set a diamond in a ring;repaired a gold chain | skilled;careful
"""  # noqa: E501  # one row an item

_ABOUT_A_PROFESSION = (
    "{person} is a {job} and works in a {job.place}.",
    "A {job} works in a {job.place}.",
    "The {job} <opens|cleans|leaves|enters> the {job.place} <at six|in the morning|in the evening|daily>.",
    "{job.s} {job.work}.",
    "{job.s} who {job.work} need a good {job.tool}.",
    "The {job} uses a {job.tool}.",
    "The {job} took the {job.tool} and went to work.",
    "Without a {job.tool} no {job} can {job.work}.",
    "The {job} {job.did} <on {day}|yesterday|before noon|in {month}>.",
    "At the {job.place} the {job} {job.did}.",
    "The {job} was {job.trait} and {job.did}.",
    "A good {job} must be {job.trait}.",
    "The {job.trait} {job} works from morning to night in the {job.place}.",
    "{person} wants to become a {job} because {job.s} {job.work}.",
    "The {job.tool} in the {job.place} is <old|new|broken|expensive>.",
    "{person} bought a <new|used> {job.tool} for the {job.place}.",
    "The {job.place} was full of people when the {job} came back.",
    "The {job} and the {job2} are neighbours.",
    "{person} <asked|called|paid|thanked> the {job} at the {job.place}.",
    "There are <two|three|many|few> {job.s} in this <town|village|street>.",
    "As a {job}, {person} has learned to {job.work}.",
    "The {job} left the {job.tool} in the {job.place}.",
    "A {job} from {country} {job.did}.",
    "The young {job} {job.did} while the old {job} watched.",
)


def _jobs() -> list[Item]:
    rows = table("word sector place tool work did trait", _PROFESSIONS)
    return [{**row, "s": (plural(row["word"][0]),)} for row in rows]


POOLS = {"job": _jobs()}
ARTICLES = (Article("job", 12, _ABOUT_A_PROFESSION),)
