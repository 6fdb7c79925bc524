"""A target that may not be written is refused before the work."""

import os

import pytest
from storage_samples import STAGES, WRITE, sample, write_counts, write_factors

from pmifact.errors import ArtifactError, InputError
from pmifact.storage import check_target


@pytest.mark.parametrize("stage", [*STAGES, "vectors"])
def test_new_paths_are_welcome_in_directories_that_exist(stage, tmp_path, monkeypatch):
    name = "x.txt" if stage == "vectors" else "x"
    check_target(tmp_path / name, stage)
    monkeypatch.chdir(tmp_path)
    check_target(name, stage)
    with pytest.raises(ArtifactError, match=r"the directory .* does not exist; create it first"):
        check_target(tmp_path / "missing" / name, stage)
    (tmp_path / "file").write_text("")
    with pytest.raises(ArtifactError):
        check_target(tmp_path / "file" / name, stage)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(ArtifactError, match="may not be written"):
        check_target(tmp_path / name, stage)
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("stage", STAGES)
def test_only_an_artifact_of_the_same_stage_is_replaced(stage, tmp_path):
    path = tmp_path / "x"
    WRITE[stage](sample(stage), path)
    check_target(path, stage)
    other = "counts" if stage != "counts" else "factors"
    for refuse in (check_target, lambda path, stage: WRITE[stage](sample(stage), path)):
        with pytest.raises(
            ArtifactError, match=rf"replace a \.{other} artifact, but a \.{stage} artifact is there"
        ):
            refuse(path, other)
    WRITE[stage](sample(stage), path)


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda path: path.write_text("text"), "is no artifact"),
        (lambda path: path.mkdir(), "is no artifact"),
        (lambda path: (path.mkdir(), (path / "manifest.json").write_text("{}")), "cannot be read; remove it"),
        (
            lambda path: (path.mkdir(), (path / "manifest.json").write_text('{"name": "app"}')),
            "cannot be read",
        ),
    ],
)
def test_other_paths_are_never_replaced(make, fault, tmp_path):
    make(tmp_path / "x")
    before = sorted(tmp_path.rglob("*"))
    for refuse in (check_target, lambda path, stage: WRITE[stage](sample(stage), path)):
        with pytest.raises(ArtifactError, match=fault):
            refuse(tmp_path / "x", "counts")
    assert sorted(tmp_path.rglob("*")) == before


def test_files_that_somebody_put_into_an_artifact_are_not_deleted(tmp_path):
    write_factors(sample("factors"), tmp_path / "x.factors")
    (tmp_path / "x.factors" / ".DS_Store").write_text("")
    check_target(tmp_path / "x.factors", "factors")
    (tmp_path / "x.factors" / "notes.txt").write_text("mine")
    with pytest.raises(ArtifactError, match=r"holds 'notes\.txt', which replacing the artifact would delete"):
        write_factors(sample("factors"), tmp_path / "x.factors")
    assert (tmp_path / "x.factors" / "notes.txt").read_text() == "mine"


def test_vectors_replace_vectors_only(tmp_path):
    write_counts(sample("counts"), tmp_path / "x.counts")
    (tmp_path / "v.txt").write_text("2 1\na 1\nb 2\n")
    (tmp_path / "text.txt").write_text("2 or 3 words\n")
    check_target(tmp_path / "v.txt", "vectors")
    for name in ("x.counts", "text.txt"):
        with pytest.raises((ArtifactError, InputError)):
            check_target(tmp_path / name, "vectors")
