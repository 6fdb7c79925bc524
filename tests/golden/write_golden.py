"""Write the golden files: ``python tests/golden/write_golden.py NEW_DIRECTORY``.

What is kept here was written by pmifact 0.1.0 and must be readable for ever, so it is never written again;
a new format gets a new directory beside ``v1``.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from storage_samples import STAGES, WRITE, positional_sample, sample

from pmifact.storage import read_factors, write_vectors

if __name__ == "__main__":
    directory = Path(sys.argv[1])
    directory.mkdir()
    for stage in STAGES:
        WRITE[stage](sample(stage), directory / f"old.{stage}")
    WRITE["counts"](positional_sample(), directory / "old-positional.counts")
    vectors = read_factors(directory / "old.factors").vectors(normalize=False)
    for suffix in (".txt", ".bin"):
        write_vectors(vectors, directory / f"old{suffix}")
