"""The similarity scores that follow from the world's structure."""

from collections import Counter
from collections.abc import Sequence

from pmifact.world.draw import Draw
from pmifact.world.scene import Item
from pmifact.world.text import POOLS

# pool: (kind, field that names the finer class or None, fields whose values two words may share)
_CLASSES: dict[str, tuple[str, str | None, tuple[str, ...]]] = {
    "animal": ("living", "group", ("place", "food", "cover", "trait", "move")),
    "role": ("person", "group", ("place", "trait", "he", "dress")),
    "job": ("person", "sector", ("place", "work", "trait")),
    "produce": ("food", "kind", ("taste", "colour", "grove", "dish")),
    "beverage": ("food", None, ("vessel", "taste", "heat", "time")),
    "dish": ("food", None, ("meal", "taste", "cooked", "side", "spice")),
    "thing": ("thing", "group", ("room", "stuff", "use")),
    "country": ("place", "region", ("language", "currency", "climate", "product", "land")),
    "building": ("place", None, ("site", "act", "trait")),
    "quality": ("quality", "group", ("noun",)),
    "verb": ("action", "group", ("obj",)),
}
# Pools and fields whose two words are tied by a fact.
_FACTS = (
    ("country", "capital"), ("country", "adj"), ("job", "place"), ("job", "tool"), ("animal", "young"),
    ("animal", "voice"), ("role", "mate"),
)  # fmt: skip

_UNRELATED, _SAME_KIND, _SAME_POOL, _SAME_CLASS, _FACT = 0.0, 2.0, 4.0, 6.0, 7.5
_MOST_FOR_SHARING = 4.0
# How many pairs of each base score; more where shared attributes grade them finely.
_WANTED = {_FACT: 40, _SAME_CLASS: 70, _SAME_POOL: 70, _SAME_KIND: 35, _UNRELATED: 35}

Entry = tuple[str, Item]
Pair = tuple[str, str, float]


def similarity_pairs() -> list[Pair]:
    """Return pairs of words with the score of their similarity, from 0 to 10; the same at every call.

    Two words of different kinds (living, person, food, thing, place, quality, action) score 0; of one kind
    2; of one pool (say, two animals) 4; of one class in it (say, two wild animals) 6. The last two gain up to
    4 points for the attributes they share (places, tastes, materials, ...): 4 times the Jaccard index of
    both words' attributes. Words tied by a fact, as a country and its capital, score 7.5. Two decimals.
    """
    draw = Draw(0)
    entries = _entries()
    facts = [
        (item["word"][0], item[field][0], _FACT)
        for pool, field in _FACTS
        for entry_pool, item in entries
        if entry_pool == pool and field in item and item[field][0].isalpha()
    ]
    pairs = draw.sample(_distinct(facts), _WANTED[_FACT])
    seen = {frozenset(pair[:2]) for pair in facts}
    for base in (_SAME_CLASS, _SAME_POOL, _SAME_KIND, _UNRELATED):
        wanted = len(pairs) + _WANTED[base]
        while len(pairs) < wanted:
            first, second = draw.pick(entries), draw.pick(entries)
            words = (first[1]["word"][0], second[1]["word"][0])
            if _base(first, second) == base and frozenset(words) not in seen and words[0] != words[1]:
                seen.add(frozenset(words))
                shared = _shared(first, second) if base >= _SAME_POOL else 0.0
                pairs.append((*words, round(base + _MOST_FOR_SHARING * shared, 2)))
    return pairs


def _entries() -> list[Entry]:
    """Return (pool, item) for each single word that has one meaning in the world."""
    entries = [(pool, item) for pool in _CLASSES for item in POOLS[pool]]
    meanings = Counter(item["word"][0] for _, item in entries)
    return [
        (pool, item) for pool, item in entries if meanings[item["word"][0]] == 1 and item["word"][0].isalpha()
    ]


def _base(first: Entry, second: Entry) -> float:
    (pool1, item1), (pool2, item2) = first, second
    kind, finer, _ = _CLASSES[pool1]
    if pool1 != pool2:
        return _SAME_KIND if kind == _CLASSES[pool2][0] else _UNRELATED
    return _SAME_CLASS if finer is not None and item1[finer] == item2[finer] else _SAME_POOL


def _shared(first: Entry, second: Entry) -> float:
    """Return the Jaccard index of the attributes of two items of one pool."""
    fields = _CLASSES[first[0]][2]
    one, other = (
        {(field, value) for field in fields for value in item.get(field, ())} for _, item in (first, second)
    )
    return len(one & other) / len(one | other)


def _distinct(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs without those whose two words, in either order, came before."""
    return list({frozenset(pair[:2]): pair for pair in pairs}.values())
