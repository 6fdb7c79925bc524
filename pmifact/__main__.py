"""``python -m pmifact`` is the command ``pmifact``."""

from pmifact.cli import main

if __name__ == "__main__":
    main()
