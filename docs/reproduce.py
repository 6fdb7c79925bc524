"""Both papers through the Python API: python docs/reproduce.py TEXT FOLDER [NAME=FILE ...].

NAME=FILE takes a file for a gold set; others are the named sets at hand ('pmifact data list').
"""

import sys
from contextlib import contextmanager
from pathlib import Path

from pmifact import reproduce_levy2014, reproduce_levy2015
from pmifact.reproduce.published import COLUMNS_2014, COLUMNS_2015
from pmifact.resources.progress import no_progress

# Small enough for the bundled corpus; leave them out for a large text.
SMALL_2014 = {"ranks": (20, 40), "shifts": (1, 5), "epochs": 2, "samples": 50_000, "resamples": 99}
SMALL_2015 = {"rank": 30, "epochs": 1, "subsample": 1e-3, "resamples": 49}


@contextmanager
def one_line(stage, number, total):
    """Say what is being done."""
    print(f"{number}/{total} {stage.title}", file=sys.stderr)
    yield no_progress


def main(text, folder, *files):
    """Make the tables of both papers and print the reports."""
    given = dict(file.split("=", 1) for file in files)
    large = Path(text).stat().st_size > 50_000_000
    Path(folder).mkdir(exist_ok=True)
    nips = reproduce_levy2014(
        text,
        Path(folder) / "nips2014",
        gold={name: path for name, path in given.items() if name in COLUMNS_2014},
        watch=one_line,
        **({} if large else SMALL_2014),
    )
    print(nips.report)
    deviations = nips.tables["table1"]  # a pandas.DataFrame
    print(deviations.pivot(index="model", columns="shift", values="deviation").round(1), "\n")

    tacl = reproduce_levy2015(
        text,
        Path(folder) / "tacl2015",
        gold={name: path for name, path in given.items() if name in dict(COLUMNS_2015)},
        watch=one_line,
        **({} if large else SMALL_2015),
    )
    print(tacl.report)


if __name__ == "__main__":
    main(*sys.argv[1:])
