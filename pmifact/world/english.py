"""The little English grammar that the world needs: plurals, verb forms, comparison, articles."""

import re

_IRREGULAR_PLURALS = {
    "man": "men", "woman": "women", "mouse": "mice", "goose": "geese", "wolf": "wolves", "calf": "calves",
    "wife": "wives", "knife": "knives", "shelf": "shelves", "scarf": "scarves", "sheep": "sheep",
    "deer": "deer", "potato": "potatoes", "tomato": "tomatoes", "mango": "mangoes", "hero": "heroes",
    "gentleman": "gentlemen",
}  # fmt: skip

# base:past/participle; one form alone serves as both.
_IRREGULAR_VERBS = """
eat:ate/eaten drink:drank/drunk run:ran/run swim:swam/swum ride:rode/ridden drive:drove/driven
fly:flew/flown tell:told speak:spoke/spoken write:wrote/written read:read build:built
draw:drew/drawn cut:cut sew:sewed/sewn weave:wove/woven sweep:swept buy:bought sell:sold pay:paid
lend:lent choose:chose/chosen sing:sang/sung grow:grew/grown dig:dug feed:fed see:saw/seen
hear:heard find:found teach:taught throw:threw/thrown catch:caught win:won lose:lost know:knew/known
forget:forgot/forgotten understand:understood break:broke/broken hide:hid/hidden
"""
_PAST_FORMS = {
    base: tuple(forms.split("/")) for base, forms in (entry.split(":") for entry in _IRREGULAR_VERBS.split())
}

_DOUBLING = ("run", "swim", "cut", "dig", "chop", "stir", "win", "forget", "knit", "scrub")
_DOUBLED_ADJECTIVES = ("big", "thin", "wet", "sad", "hot")
_SILENT_H = ("hour", "honest", "heir", "honour")
_ARTICLE = re.compile(r"\b[Aa] (?=(\w+))")
_SPACE = re.compile(r" +([ .,?!])")
_CONSONANT_START = ("one", "uni", "use", "usu", "euro", "ukr", "uru")


def plural(noun: str) -> str:
    """Return the plural of `noun`."""
    if noun in _IRREGULAR_PLURALS:
        return _IRREGULAR_PLURALS[noun]
    return _with_s(noun)


def verb_forms(base: str) -> dict[str, str]:
    """Return the forms of a verb: `word` (base), `s`, `past`, `part` and `ing`."""
    stem = base + base[-1] if base in _DOUBLING else base
    regular = base + "d" if base.endswith("e") else _y_to_i(base, "ed") if base.endswith("y") else stem + "ed"
    forms = _PAST_FORMS.get(base, (regular,))
    dropped = base[:-1] if base.endswith("e") and base[-2:] not in ("ee", "oe", "ye") else stem
    return {"word": base, "s": _with_s(base), "past": forms[0], "part": forms[-1], "ing": dropped + "ing"}


def comparison(adjective: str) -> dict[str, str]:
    """Return the positive (`word`), comparative (`er`) and superlative (`est`) of a short adjective."""
    if adjective.endswith("e"):
        stem = adjective[:-1]
    elif adjective.endswith("y"):
        stem = adjective[:-1] + "i"
    else:
        stem = adjective + adjective[-1] if adjective in _DOUBLED_ADJECTIVES else adjective
    return {"word": adjective, "er": stem + "er", "est": stem + "est"}


def vowel_sound(word: str) -> bool:
    """Return whether `word` begins with a vowel sound, so that its article is "an"."""
    word = word.lower()
    return word.startswith(_SILENT_H) or (word[0] in "aeiou" and not word.startswith(_CONSONANT_START))


def sentence(text: str) -> str:
    """Return `text` with single spaces, the right "a" or "an" and a capital at the start."""
    text = _ARTICLE.sub(
        lambda match: "an " if vowel_sound(match[1]) else "a ", _SPACE.sub(r"\1", text)
    ).strip()
    return text[0].upper() + text[1:]


def _with_s(word: str) -> str:
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    return _y_to_i(word, "es") if word.endswith("y") else word + "s"


def _y_to_i(word: str, ending: str) -> str:
    if word[-2] in "aeiou":
        return word + ending.removeprefix("e") if ending == "es" else word + ending
    return word[:-1] + "i" + ending
