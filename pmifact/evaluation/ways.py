"""The ways in which the questions of a set are asked: by a method, its controls, and hyperwords' rules."""

from collections.abc import Iterator
from dataclasses import dataclass

from pmifact.checks import check_choice, check_integer
from pmifact.errors import InputError
from pmifact.evaluation.gold import AnalogySet
from pmifact.evaluation.lookup import CASES
from pmifact.evaluation.pairs import PairSet
from pmifact.evaluation.questions import Design, Questions, questions_of
from pmifact.evaluation.relations import RELATION_METHODS
from pmifact.search.analogies import METHODS as QUESTION_METHODS
from pmifact.search.analogies import Rule
from pmifact.vectors import WordVectors

METHODS = (*QUESTION_METHODS, *RELATION_METHODS)
LIKE = ("hyperwords",)
HYPERWORDS_EPSILON = 0.01  # of 3CosMul


@dataclass(frozen=True, kw_only=True)
class AnalogyOptions:
    """How analogies are asked; see `evaluate_analogy`."""

    method: str = "add"
    case: str = "fold"
    controls: bool = False
    like: str | None = None
    restrict_vocab: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice("method", self.method, METHODS)
        check_choice("case", self.case, CASES)
        check_integer("seed", self.seed, least=0)
        if self.restrict_vocab is not None:
            check_integer("restrict_vocab", self.restrict_vocab, least=1)
        if self.controls and self.method in RELATION_METHODS:
            raise InputError(
                f"controls: expected one of the methods {', '.join(QUESTION_METHODS)}, which ask single "
                f"questions, got {self.method!r}; leave the controls out or choose another method"
            )
        if self.like is not None:
            check_choice("like", self.like, LIKE)
            if self.method not in ("add", "mul"):
                raise InputError(
                    f"like hyperwords: expected one of its methods, add and mul, got {self.method!r}; "
                    "choose one of them"
                )


@dataclass(frozen=True, eq=False)
class Way:
    """One way to ask the questions of a set.

    Parameters
    ----------
    method : str
        Its name in the score table.
    rule : Rule
        How candidates are scored.
    questions : Questions
        What is asked.
    row_0 : bool
        Whether words that are not in the vocabulary borrow the vector of its first word, and every question
        counts.
    """

    method: str
    rule: Rule
    questions: Questions
    row_0: bool = False


def ways_of(
    vectors: WordVectors, gold: AnalogySet | PairSet, design: Design, options: AnalogyOptions
) -> Iterator[Way]:
    """Yield the way of the method itself, then those of the controls, then those of hyperwords."""
    method, case, limit = options.method, options.case, options.restrict_vocab
    questions = questions_of(vectors, gold, design, case=case, limit=limit)
    yield Way(method, Rule(method=method), questions)
    if options.controls:
        yield Way(f"{method} inputs-kept", Rule(method=method, inputs="kept"), questions)
        yield Way("only-b", Rule(terms=(False, False, True)), questions)
        yield Way("ignore-a", Rule(terms=(False, True, True)), questions)
        yield Way(f"{method} reversed", Rule(method=method), questions.reversed())
    if options.like == "hyperwords":
        if isinstance(gold, PairSet):
            raise InputError(
                f"like hyperwords: expected questions of four words, got the pair set {gold.name}; "
                "leave it out"
            )
        # Its vocabulary holds words whose vector is zero, too.
        known = questions_of(vectors, gold, design, case=case, limit=limit, zero_rows=True)
        yield Way(f"{method} oov-row-0", Rule(method=method), known, row_0=True)
        yield Way(f"{method} inputs-zero", Rule(method=method, inputs="zero", zero_rows=True), questions)
        if method == "mul":
            yield Way("mul epsilon-0.01", Rule(method="mul", epsilon=HYPERWORDS_EPSILON), questions)
        rule = Rule(method=method, inputs="zero", epsilon=HYPERWORDS_EPSILON, zero_rows=True)
        lowered = questions_of(vectors, gold, design, case="lower", limit=limit, zero_rows=True)
        yield Way(f"{method} hyperwords", rule, lowered, row_0=True)
