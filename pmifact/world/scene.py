"""Word tables and sentence templates, and how a template becomes a sentence.

A template is English with two marks: ``<a|b|c>`` is a free choice, and ``{animal.young}`` is the field
`young` of an item drawn from the pool `animal` (without a field: its `word`). Within one sentence a slot name
means one item, and a mark one value; ``{animal2}`` is another item of the same pool. Values may hold marks
of their own.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from pmifact.world.draw import Draw
from pmifact.world.english import plural, sentence

Item = Mapping[str, tuple[str, ...]]
Pools = Mapping[str, Sequence[Item]]

_SLOT = re.compile(r"\{([a-z]+)(\d?)(?:\.([a-z_]+))?\}")
_MARK = re.compile(r"(<[^<>]*>|\{[^{}]*\})")


def table(fields: str, rows: str) -> list[dict[str, tuple[str, ...]]]:
    """Return one item a line of `rows`: columns are cut at ``|``, several values of one field at ``;``."""
    names = fields.split()
    items = []
    for line in rows.strip().splitlines():
        columns = [column.strip() for column in line.split("|")]
        if len(columns) != len(names):
            raise ValueError(f"expected {len(names)} columns ({fields}), got {line!r}")
        items.append(
            {
                name: tuple(value.strip() for value in column.split(";"))
                for name, column in zip(names, columns, strict=True)
                if column
            }
        )
    return items


def add(items: Sequence[dict[str, tuple[str, ...]]], forms: Callable[[str], Mapping[str, str]]) -> list[Item]:
    """Return `items` with the forms of each one's word added."""
    return [item | {name: (form,) for name, form in forms(item["word"][0]).items()} for item in items]


def noun_forms(noun: str) -> dict[str, str]:
    """Return the plural of a noun, as the field `s`."""
    return {"s": plural(noun)}


class _Slot(NamedTuple):
    mark: str
    pool: str
    name: str
    field: str


@cache
def _parts(text: str) -> tuple[str | _Slot | tuple[str, ...], ...]:
    """Return `text` in parts: plain text, slots, and the options of free choices."""
    return tuple(
        tuple(part[1:-1].split("|")) if part[0] == "<" else _slot(part) if part[0] == "{" else part
        for part in _MARK.split(text)
        if part
    )


def _slot(mark: str) -> _Slot:
    match = _SLOT.fullmatch(mark)
    if match is None:
        raise ValueError(f"expected a slot such as {{animal2.young}}, got {mark!r}")
    pool, digit, field = match.groups()
    return _Slot(mark, pool, pool + digit, field or "word")


@dataclass(frozen=True)
class Article:
    """A kind of article: the pool of its topic, how common it is and the sentences it may hold."""

    topic: str
    weight: float
    templates: tuple[str, ...]

    def about(self, topic: Item) -> list[str]:
        """Return the templates that ask nothing of `topic` that it does not have."""
        return [
            text for text, asked in zip(self.templates, self._asked, strict=True) if asked <= topic.keys()
        ]

    @cached_property
    def _asked(self) -> list[frozenset[str]]:
        return [
            frozenset(
                part.field for part in _parts(text) if isinstance(part, _Slot) and part.name == self.topic
            )
            for text in self.templates
        ]


class Scene:
    """Writes the sentences of one article; `topics` are the items that all its sentences share."""

    def __init__(self, pools: Pools, draw: Draw, topics: Mapping[str, Item]) -> None:
        self._pools = pools
        self._draw = draw
        self._topics = topics

    def write(self, template: str) -> str:
        """Return a sentence made from `template`."""
        return sentence(self._expand(template, dict(self._topics), {}))

    def _expand(self, text: str, bound: dict[str, Item], said: dict[str, str]) -> str:
        return "".join(
            part
            if isinstance(part, str)
            else self._value(part, bound, said)
            if isinstance(part, _Slot)
            else self._expand(self._draw.pick(part), bound, said)
            for part in _parts(text)
        )

    def _value(self, slot: _Slot, bound: dict[str, Item], said: dict[str, str]) -> str:
        if slot.mark not in said:
            if slot.name not in bound:
                taken = [id(item) for name, item in bound.items() if name.rstrip("23") == slot.pool]
                item = self._draw.uneven(self._pools[slot.pool])
                while id(item) in taken:
                    item = self._draw.uneven(self._pools[slot.pool])
                bound[slot.name] = item
            said[slot.mark] = self._expand(self._draw.pick(bound[slot.name][slot.field]), bound, said)
        return said[slot.mark]
