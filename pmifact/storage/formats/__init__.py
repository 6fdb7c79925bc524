"""Files of word vectors, a module a format: each reads what other tools write, and writes what they read."""

from pmifact.storage.formats.glove import read_glove, write_glove
from pmifact.storage.formats.npz import read_npz, write_npz
from pmifact.storage.formats.parquet import read_parquet, write_parquet
from pmifact.storage.formats.projector import read_projector, write_projector
from pmifact.storage.formats.safetensors import read_safetensors, write_safetensors
from pmifact.storage.formats.word2vec import read_word2vec, write_word2vec

__all__ = [
    "read_glove",
    "read_npz",
    "read_parquet",
    "read_projector",
    "read_safetensors",
    "read_word2vec",
    "write_glove",
    "write_npz",
    "write_parquet",
    "write_projector",
    "write_safetensors",
    "write_word2vec",
]
