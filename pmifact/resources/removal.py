"""The removal of what is not needed any more, which a signal cannot break."""

import shutil
from pathlib import Path


def remove_tree(folder: Path) -> None:
    """Delete a folder, as far as that is allowed.

    A signal that arrives meanwhile is raised when the folder is gone: the removal begins again.
    """
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
