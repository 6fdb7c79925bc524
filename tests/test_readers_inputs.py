"""Which files a directory, a glob or a name stands for."""

import os

import pytest

from pmifact.errors import InputError
from pmifact.text.readers import expand_inputs, stored_size


@pytest.fixture
def tree(tmp_path):
    for name in ("b.txt", "a/z.txt", "a/y.txt.gz", "a.txt", ".hidden", ".git/x", "a/.DS_Store", "x[1].txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"12345")
    return tmp_path


def names(tree, inputs, **options):
    return [os.path.relpath(path, tree) for path in expand_inputs(inputs, **options)]


def test_directory_gives_its_files_sorted_by_path(tree):
    assert names(tree, [tree]) == ["a.txt", "a/y.txt.gz", "a/z.txt", "b.txt", "x[1].txt"]


def test_glob_is_sorted_and_may_name_directories(tree):
    assert names(tree, [f"{tree}/*.txt"]) == ["a.txt", "b.txt", "x[1].txt"]
    assert names(tree, [f"{tree}/a*"]) == ["a.txt", "a/y.txt.gz", "a/z.txt"]
    assert names(tree, [f"{tree}/**"]) == ["a.txt", "a/y.txt.gz", "a/z.txt", "b.txt", "x[1].txt"]
    assert names(tree, [f"{tree}/**/*.txt"]) == ["a.txt", "a/z.txt", "b.txt", "x[1].txt"]


def test_arguments_keep_their_order_and_an_existing_name_is_no_glob(tree):
    assert names(tree, [tree / "x[1].txt", str(tree / "a.txt")]) == ["x[1].txt", "a.txt"]
    assert expand_inputs(["-", tree / "a.txt"]) == ["-", str(tree / "a.txt")]


def test_expanding_twice_changes_nothing(tree):
    once = expand_inputs([tree, f"{tree}/**"])
    assert expand_inputs(once) == once


def test_nothing_to_read_is_refused(tree):
    (tree / "empty").mkdir()
    for inputs, message in (
        ([], "no input: "),
        ([tree / "empty"], "empty: this directory holds no file"),
        ([tree / ".git" / "none"], r"none: there is no such file or directory$"),
        ([f"{tree}/*.nothing"], "nothing: no file matches this pattern"),
        ([f"{tree}/empt*"], "empty: this directory holds no file"),
        (["-", "-"], "given twice"),
        ([3], "expected the path of an input as a str, got 3"),
        ([b"x"], "expected the path of an input as a str, got b'x'"),
    ):
        with pytest.raises(InputError, match=message):
            expand_inputs(inputs)


def test_the_hint_ends_the_message_about_a_missing_path():
    with pytest.raises(InputError, match=r"no such file or directory; try this$"):
        expand_inputs(["missing"], hint="; try this")


def test_a_link_to_a_directory_is_followed_but_not_in_circles(tree, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (other / "link").symlink_to(tree / "a")
    assert names(other, [other]) == ["link/y.txt.gz", "link/z.txt"]
    (other / "circle").symlink_to(other)
    with pytest.raises(InputError, match="circle: a symbolic link leads here again"):
        expand_inputs([other])


def test_what_is_no_file_in_a_directory_is_refused(tree):
    (tree / "broken").symlink_to(tree / "gone")
    with pytest.raises(InputError, match="broken: neither a file nor a directory"):
        expand_inputs([tree])


def test_stored_size(tree):
    assert stored_size(expand_inputs([tree])) == 25
    assert stored_size([str(tree / "a.txt"), "-"]) == 0
