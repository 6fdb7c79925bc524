"""Small artifacts, the same for every test of storage, and tools to tamper with them."""

import hashlib
import json
from dataclasses import fields

import numpy as np
from scipy.sparse import csr_array

from pmifact.contexts import PositionalContexts
from pmifact.cooccurrence import CooccurrenceCounts, CountOptions
from pmifact.corpus import EncodedCorpus, EncodeOptions
from pmifact.factors import Factors
from pmifact.storage import (
    read_corpus,
    read_counts,
    read_factors,
    write_corpus,
    write_counts,
    write_factors,
)
from pmifact.text.readers import Source
from pmifact.vocabulary import Vocabulary

READ = {"corpus": read_corpus, "counts": read_counts, "factors": read_factors}
WRITE = {"corpus": write_corpus, "counts": write_counts, "factors": write_factors}
STAGES = tuple(READ)
FILES = {
    "corpus": ("vocabulary.tsv", "token_ids.npy", "sentence_starts.npy"),
    "counts": ("vocabulary.tsv", "indptr.npy", "indices.npy", "data.npy"),
    "factors": ("vocabulary.tsv", "words.npy", "strengths.npy", "contexts.npy", "residuals.npy"),
}


def vocabulary():
    return Vocabulary(("the", "café", "猫", "e\u0301"), np.array([5, 3, 2, 0]))


def sample(stage, seed=0):
    """Return an object of `stage`; other seeds give others. Seed 0 is the golden one: leave it alone."""
    if stage == "corpus":
        return EncodedCorpus(
            vocabulary(),
            np.array([0, 1, -1, 2, 0, seed % 4], np.int32),
            np.array([0, 2, 6]),
            EncodeOptions(lowercase=True, min_count=1),
            (Source("a.txt", 31, "0" * 64),),
        )
    if stage == "counts":
        matrix = csr_array(np.array([[4, 2**40, 0, 0], [2**40, 0, 7, 0], [0, 7, 1 + seed, 0], [0, 0, 0, 0]]))
        return CooccurrenceCounts(
            vocabulary(), matrix, 10, CountOptions(window=(2, 5), subsample=1e-3, seed=7)
        )
    words = np.array([[0.5, -1], [2, 0.25], [0, 0], [1 + seed, 3]], np.float32)
    return Factors(
        vocabulary(),
        words,
        np.array([3, 0.5], np.float32),
        words[:3] * 2,
        np.array([1e-3, 0.5], np.float32),
        {"rank": 2, "solver": "arpack", "seed": 0},
    )


def positional_sample():
    """Return the golden counts of contexts by offset: of the text "the café 猫 the", a word to each side."""
    matrix = csr_array(
        np.array(
            # left of the focus: the, café, 猫; then right of it
            [[0, 0, 1, 0, 1, 0], [1, 0, 0, 0, 0, 1], [0, 1, 0, 1, 0, 0]],
        )
    )
    words = Vocabulary(("the", "café", "猫"), np.array([2, 1, 1]))
    options = CountOptions(window=(1, 1), positional=True)
    return CooccurrenceCounts(words, matrix, 1, options, PositionalContexts(words, (1, 1)))


def values(thing):
    """Return what an object holds as plain Python, to be compared with ==."""
    found = {field.name: getattr(thing, field.name) for field in fields(thing)}
    words = found.pop("vocabulary")
    found |= {"vocabulary": words.words, "vocabulary_counts": words.counts}
    matrix = found.pop("matrix", None)
    if matrix is not None:
        found |= {
            "shape": matrix.shape,
            "indptr": matrix.indptr,
            "indices": matrix.indices,
            "data": matrix.data,
        }
    return {
        name: (str(value.dtype), value.tolist()) if isinstance(value, np.ndarray) else value
        for name, value in found.items()
    }


def edit_manifest(path, change):
    """Let `change` edit the manifest in place, then seal it again, as somebody who knows the format could."""
    manifest = json.loads((path / "manifest.json").read_bytes())
    change(manifest)
    manifest.pop("manifest_sha256", None)
    content = json.dumps(manifest, sort_keys=True, separators=(",", ":")).encode()
    manifest["manifest_sha256"] = hashlib.sha256(content).hexdigest()
    (path / "manifest.json").write_text(json.dumps(manifest))


def accept_file(path, name, array=None):
    """Make the manifest agree with a file that was changed (and with the array written to it)."""
    if array is not None:
        np.save(path / name, array)
    data = (path / name).read_bytes()

    def change(manifest):
        entry = manifest["files"][name]
        entry |= {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        if array is not None:
            entry["shape"] = list(array.shape)

    edit_manifest(path, change)


def hidden(directory):
    """Return the names in `directory` that start with a dot: what a write must not leave."""
    return sorted(entry.name for entry in directory.iterdir() if entry.name.startswith("."))
