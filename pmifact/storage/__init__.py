"""Artifacts and vector files: `read_x` and `write_x` of each, checked on reading and replaced as a whole."""

from pmifact.storage.artifact import artifact_source, artifact_stage, history_of, read_manifest
from pmifact.storage.corpus import read_corpus, write_corpus
from pmifact.storage.counts import read_counts, write_counts
from pmifact.storage.factors import read_factors, write_factors
from pmifact.storage.files import file_source
from pmifact.storage.formats import (
    read_glove,
    read_npz,
    read_parquet,
    read_projector,
    read_safetensors,
    read_word2vec,
    write_glove,
    write_npz,
    write_parquet,
    write_projector,
    write_safetensors,
    write_word2vec,
)
from pmifact.storage.glove import read_glove_cooccurrence
from pmifact.storage.manifest import RunRecord
from pmifact.storage.npz import read_counts_npz, write_counts_npz
from pmifact.storage.pairs import read_pairs
from pmifact.storage.targets import check_target
from pmifact.storage.vectors import read_vectors, read_vocabulary, write_vectors
from pmifact.storage.verify import verify_artifact

__all__ = [
    "RunRecord",
    "artifact_source",
    "artifact_stage",
    "check_target",
    "file_source",
    "history_of",
    "read_corpus",
    "read_counts",
    "read_counts_npz",
    "read_factors",
    "read_glove",
    "read_glove_cooccurrence",
    "read_manifest",
    "read_npz",
    "read_pairs",
    "read_parquet",
    "read_projector",
    "read_safetensors",
    "read_vectors",
    "read_vocabulary",
    "read_word2vec",
    "verify_artifact",
    "write_corpus",
    "write_counts",
    "write_counts_npz",
    "write_factors",
    "write_glove",
    "write_npz",
    "write_parquet",
    "write_projector",
    "write_safetensors",
    "write_vectors",
    "write_word2vec",
]
