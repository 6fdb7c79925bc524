"""The corpus: articles about the world, one sentence a line."""

from collections.abc import Iterator
from itertools import accumulate

from pmifact.world import actions, food, nature, people, places, qualities, things, work
from pmifact.world.draw import Draw
from pmifact.world.scene import Pools, Scene

# The text ends with the first article that brings it to this many characters.
SIZE = 2_900_000

_DOMAINS = (places, nature, food, people, work, actions, qualities, things)
POOLS: Pools = {name: pool for domain in _DOMAINS for name, pool in domain.POOLS.items()}
_ARTICLES = [article for domain in _DOMAINS for article in domain.ARTICLES]
_WEIGHTS = list(accumulate(article.weight for article in _ARTICLES))


def sentences(seed: int) -> Iterator[str]:
    """Yield the lines of the corpus: sentences in English, and an empty line after each article.

    The lines are a pure function of `seed`, on every platform and Python version.
    """
    draw = Draw(seed)
    size = 0
    while size < SIZE:
        for line in _article(draw):
            size += len(line) + 1
            yield line


def _article(draw: Draw) -> Iterator[str]:
    article = draw.weighted(_ARTICLES, _WEIGHTS)
    topic = draw.uneven(POOLS[article.topic])
    scene = Scene(POOLS, draw, {article.topic: topic})
    usable = article.about(topic)
    # A pronoun needs somebody to speak of, so an article never opens with one.
    opening = draw.pick([template for template in usable if not template.split("}")[0].endswith(".he")])
    yield scene.write(opening)
    usable.remove(opening)
    for template in draw.sample(usable, 4 + draw.below(6)):
        yield scene.write(template)
    yield ""
