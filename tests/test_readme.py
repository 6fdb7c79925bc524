"""The README names what there is."""

import ast
import re

from conftest import REPO

import pmifact
from pmifact.cli.root import SECTIONS

README = (REPO / "README.md").read_text(encoding="utf-8")


def test_every_command_is_in_the_readme():
    for command in (name for names in SECTIONS.values() for name in names):
        assert re.search(rf"\bpmifact {command}\b", README), f"pmifact {command}"


def test_every_room_is_in_its_tree():
    tree = README[README.index("```\npmifact/") : README.index("## Symbols")]
    package = REPO / "pmifact"
    for path in package.iterdir():
        if not path.name.startswith("__"):
            assert re.search(rf"\b{re.escape(path.name)}", tree), path.name
    for name in re.findall(r"\w+\.py\b", tree):
        assert (package / name).exists(), name


def test_the_names_of_the_python_examples_exist():
    blocks = re.findall(r"^```python\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    nodes = [node for block in blocks for node in ast.walk(ast.parse(block))]
    names = [
        alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module == "pmifact"
        for alias in node.names
    ]
    assert names
    for name in names:
        assert hasattr(pmifact, name), name
