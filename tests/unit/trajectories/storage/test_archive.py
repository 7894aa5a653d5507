from __future__ import annotations

import io
import os
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajectories.errors import StorageError
from trajectories.storage.archive import Limits, unpack, unpacked
from trajectories.storage.members import MemberNames
from trajectories.storage.store import Store
from unit.trajectories.samples import CONTENT, CONTENT_DIGEST, whole_episode
from unit.trajectories.storage.test_store import told


def exported(tmp_path: Path) -> Path:
    with Store(tmp_path / "origin") as store:
        store.save(whole_episode(), files={CONTENT_DIGEST: CONTENT}, source={"a/.hidden": b"kept"})
        store.export_archive("XRD-S1-run0", tmp_path / "run.graticule")
    return tmp_path / "run.graticule"


def refusal(tmp_path: Path, path: Path) -> str:
    """Why a workspace refuses an archive; nothing may be left in it."""
    with Store(tmp_path / "victim") as store:
        with pytest.raises(StorageError) as caught:
            store.import_archive(path)
        assert list(store.folder.iterdir()) == []
        assert store.episodes() == []
    assert {p.name for p in tmp_path.iterdir()} <= {"victim", "origin", path.name}
    return caught.value.message


def altered(path: Path, change: Callable[[zipfile.ZipFile], None]) -> Path:
    with zipfile.ZipFile(path, "a") as file:
        change(file)
    return path


def test_an_archive_gives_the_same_episode(tmp_path: Path) -> None:
    path = exported(tmp_path)
    with Store(tmp_path / "other") as store:
        episode = store.import_archive(path)
        assert told(episode) == told(whole_episode())
        assert store.file_content(episode.id, CONTENT_DIGEST) == CONTENT
        assert (store.source_folder(episode.id) / "a/.hidden").read_bytes() == b"kept"
        assert episode.steps[0].before.picture().digest == episode.steps[0].before.frame.digest  # type: ignore[union-attr]


def test_an_archive_never_takes_the_place_of_a_pipe(tmp_path: Path) -> None:
    exported(tmp_path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with Store(tmp_path / "origin") as store, pytest.raises(StorageError, match="a pipe"):
        store.export_archive("XRD-S1-run0", pipe)
    assert pipe.is_fifo()


def test_an_id_that_is_taken_needs_a_new_one(tmp_path: Path) -> None:
    path = exported(tmp_path)
    with Store(tmp_path / "origin") as store:
        with pytest.raises(StorageError, match="already an episode"):
            store.import_archive(path)
        copy = store.import_archive(path, new_id=True)
        assert copy.id != "XRD-S1-run0"
        assert copy.header.extra["imported_as"] == "XRD-S1-run0"
        assert len(store.episodes()) == 2


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd", "../../evil", "source/../../evil", "C:/evil", "source/C:evil",
        "source\\..\\evil", "source//evil", "source/./evil", "source/con.txt", "source/evil.",
        "source/a\x01b", "source/" + "d/" * 30 + "deep", "source/" + "n" * 250,
    ],
)  # fmt: skip
def test_names_that_leave_or_mislead_are_refused(tmp_path: Path, name: str) -> None:
    path = altered(exported(tmp_path), lambda file: file.writestr(name, b"evil"))
    assert "not allowed" in refusal(tmp_path, path)


def test_names_equal_but_for_case_are_refused(tmp_path: Path) -> None:
    def change(file: zipfile.ZipFile) -> None:
        file.writestr("source/Readme", b"1")
        file.writestr("source/README", b"2")

    assert "cannot tell apart" in refusal(tmp_path, altered(exported(tmp_path), change))


def test_a_file_that_is_also_a_folder_is_refused(tmp_path: Path) -> None:
    def change(file: zipfile.ZipFile) -> None:
        file.writestr("source/x", b"1")
        file.writestr("source/X/y", b"2")

    assert "cannot tell apart" in refusal(tmp_path, altered(exported(tmp_path), change))


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_devices_are_refused(tmp_path: Path, kind: int) -> None:
    def change(file: zipfile.ZipFile) -> None:
        link = zipfile.ZipInfo("source/link")
        link.external_attr = (kind | 0o777) << 16
        file.writestr(link, "../../../etc/passwd")

    assert "link or device" in refusal(tmp_path, altered(exported(tmp_path), change))


def test_foreign_files_at_the_top_are_refused(tmp_path: Path) -> None:
    path = altered(exported(tmp_path), lambda file: file.writestr("setup.py", b"x"))
    assert "holds 'setup.py'" in refusal(tmp_path, path)


def test_an_archive_in_an_archive_stays_packed(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as file:
        file.writestr("../evil", b"x")
    path = altered(exported(tmp_path), lambda f: f.writestr("source/in.zip", inner.getvalue()))
    with Store(tmp_path / "victim") as store:
        episode = store.import_archive(path)
        assert (store.source_folder(episode.id) / "in.zip").read_bytes() == inner.getvalue()
        assert [p.name for p in store.source_folder(episode.id).iterdir()].count("evil") == 0


def test_a_bomb_stops_at_the_ratio(tmp_path: Path) -> None:
    def change(file: zipfile.ZipFile) -> None:
        for number in range(4):
            zeros = bytes(8 * 2**20)
            file.writestr(f"source/zeros-{number}", zeros, zipfile.ZIP_DEFLATED, 9)

    assert "more than is allowed" in refusal(tmp_path, altered(exported(tmp_path), change))


def test_sizes_and_counts_are_limited(tmp_path: Path) -> None:
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as file:
        for number in range(20):
            file.writestr(f"f{number}", b"x" * 100)
    for limits, reason in ((Limits(entries=19), "more than 19"), (Limits(bytes=1999), "allowed")):
        with pytest.raises(StorageError, match=reason), unpacked(path, tmp_path, limits):
            pass
    target = tmp_path / "target"
    target.mkdir()
    assert len(unpack(path, target, Limits(entries=20, bytes=2000))) == 20


def test_a_claimed_size_is_not_believed(tmp_path: Path) -> None:
    """The directory says 10 bytes, the data are 100,000."""
    path = tmp_path / "liar.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a", b"x" * 100_000)
    data = path.read_bytes().replace((100_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path.write_bytes(data)
    with pytest.raises(StorageError), unpacked(path, tmp_path, Limits(bytes=5000)):
        pass


def test_encrypted_entries_are_refused(tmp_path: Path) -> None:
    path = exported(tmp_path)
    data = bytearray(path.read_bytes())
    entry = data.find(b"PK\x01\x02")
    while entry >= 0:
        data[entry + 8] |= 1
        entry = data.find(b"PK\x01\x02", entry + 4)
    path.write_bytes(bytes(data))
    assert "encrypted" in refusal(tmp_path, path)


@given(data=st.data())
def test_a_damaged_archive_is_an_error_or_whole(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    path = folder / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("name", b"content" * 20)
    good = path.read_bytes()
    position = data.draw(st.integers(0, len(good) - 1))
    value = data.draw(st.integers(0, 255))
    path.write_bytes(good[:position] + bytes([value]) + good[position + 1 :])
    try:
        with unpacked(path, folder) as unpacked_folder:
            inside = {p.resolve() for p in unpacked_folder.rglob("*")}
            assert all(p.is_relative_to(unpacked_folder.resolve()) for p in inside)
    except StorageError:
        pass
    assert list(folder.iterdir()) == [path]


def test_what_is_no_archive_is_said_so(tmp_path: Path) -> None:
    path = tmp_path / "notes.graticule"
    path.write_text("not a zip")
    assert "damaged" in refusal(tmp_path, path)
    path.unlink()
    assert "missing" in refusal(tmp_path, path)


@given(st.text(max_size=30))
def test_no_accepted_name_leaves_its_folder(name: str) -> None:
    try:
        path = MemberNames("it").add(name)
    except StorageError:
        return
    root = Path("/base/folder")
    assert (root / path).is_relative_to(root)
    assert ".." not in path.parts
    assert str(path) == name.removesuffix("/")
