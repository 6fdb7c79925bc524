"""The analogy questions whose answers the world knows."""

from collections.abc import Iterator, Sequence

from pmifact.world.scene import Item
from pmifact.world.text import POOLS

Pair = tuple[str, str]
Question = tuple[str, str, str, str, str]

# Each pair of a section is asked about together with this many of the pairs after it.
_PARTNERS = 2


def analogy_questions() -> list[Question]:
    """Return the questions (section, a, a*, b, b*) in order: a is to a* as b is to b*.

    Sections whose name begins with "gram" ask for grammar, the others for facts. Within a section a word
    stands in one pair only, so that every question has one right answer.
    """
    return [
        (section, *first, *second)
        for section, pairs in _sections().items()
        for first, second in _neighbours(pairs, min(_PARTNERS, len(pairs) - 1))
    ]


def _neighbours(pairs: Sequence[Pair], partners: int) -> Iterator[tuple[Pair, Pair]]:
    for place, pair in enumerate(pairs):
        for step in range(1, partners + 1):
            yield pair, pairs[(place + step) % len(pairs)]


def _sections() -> dict[str, list[Pair]]:
    verbs = [*POOLS["verb"], *POOLS["notion"]]
    nouns = [item for pool in ("animal", "produce", "thing") for item in POOLS[pool]]
    pronouns = [("he", "she"), ("his", "her"), ("himself", "herself")]
    return {
        "capital-country": _pairs(POOLS["country"], "capital", "word"),
        "country-currency": _pairs(POOLS["country"], "word", "currency"),
        "country-river": _pairs(POOLS["country"], "word", "river"),
        "gender": _distinct(pronouns + _pairs(POOLS["role"][::2], "word", "mate")),
        "animal-young": _pairs(POOLS["animal"], "word", "young"),
        "animal-voice": _pairs(POOLS["animal"], "word", "voice"),
        "profession-place": _pairs(POOLS["job"], "word", "place"),
        "profession-tool": _pairs(POOLS["job"], "word", "tool"),
        "gram1-comparative": _pairs(POOLS["quality"], "word", "er"),
        "gram2-superlative": _pairs(POOLS["quality"], "word", "est"),
        "gram3-present-participle": _pairs(POOLS["verb"], "word", "ing"),
        "gram4-nationality-adjective": _pairs(POOLS["country"], "word", "adj"),
        "gram5-past-tense": _pairs(POOLS["verb"], "ing", "past"),
        "gram6-plural": _pairs(nouns, "word", "s"),
        "gram7-third-person": _pairs(verbs, "word", "s"),
    }


def _pairs(items: Sequence[Item], left: str, right: str) -> list[Pair]:
    return _distinct([(item[left][0], item[right][0]) for item in items if left in item and right in item])


def _distinct(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs of single words that share no word with an earlier pair."""
    seen: set[str] = set()
    kept = []
    for left, right in pairs:
        if left != right and not {left, right} & seen and left.isalpha() and right.isalpha():
            seen |= {left, right}
            kept.append((left, right))
    return kept
