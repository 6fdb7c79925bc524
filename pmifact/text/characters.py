"""What each Unicode character is to a tokenizer, as a table for the compiled scanner."""

import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

SEPARATOR, TOKEN, JOINER, SPACE = 0, 1, 2, 3  # as in pmifact.kernels.tokens

# Beyond these no character is assigned that is a letter, number, mark or white space; a test holds Python's
# own table to that. Looking at all 1,114,112 would take longer than reading a small corpus.
LOOKED_AT = (range(0x40000), range(0xE0000, 0xE1000))


@cache
def character_classes(tokenizer: str) -> NDArray[np.uint8]:
    """Return the class of every code point, uint8[0x110000], for a built-in tokenizer.

    TOKEN characters make up tokens, and a JOINER does between two of them; SPACE is white space, SEPARATOR
    all else.
    """
    words = tokenizer == "words"
    classes = np.full(0x110000, SEPARATOR if words else TOKEN, np.uint8)
    for codes in LOOKED_AT:
        for code in codes:
            character = chr(code)
            if character.isspace():
                classes[code] = SPACE
            elif words and unicodedata.category(character)[0] in "LNM":
                classes[code] = TOKEN
    if words:
        classes[[ord("'"), ord("\u2019")]] = JOINER
    classes.flags.writeable = False
    return classes
