from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from trajectories.errors import StorageError
from trajectories.frame import header
from trajectories.storage.frames import (
    FrameCache,
    StoredFrame,
    decode,
    encode,
    frame_path,
    read_frame,
    write_frame,
)
from unit.trajectories.samples import picture


def stored(folder: Path, number: int = 1, cache: FrameCache | None = None) -> StoredFrame:
    frame = picture(number)
    write_frame(folder, frame)
    return StoredFrame(frame_path(folder, frame.digest), frame.digest, 5, 2.5, cache)


def test_a_stored_frame_is_the_same_frame(tmp_path: Path) -> None:
    loaded = stored(tmp_path).load()
    assert np.array_equal(loaded.pixels, picture(1).pixels)
    assert (loaded.t_ns, loaded.virtual_ms) == (5, 2.5)
    assert loaded.digest == picture(1).digest
    assert not loaded.pixels.flags.writeable


def test_the_file_is_a_header_and_zstd_of_bgrx(tmp_path: Path) -> None:
    data = stored(tmp_path).path.read_bytes()
    assert data[:16] == header(64, 48)
    assert zstandard.ZstdDecompressor().decompress(data[16:]) == picture(1).pixels.tobytes()


def test_the_same_picture_is_stored_once(tmp_path: Path) -> None:
    assert write_frame(tmp_path, picture(1)) > 0
    assert write_frame(tmp_path, picture(1)) == 0
    assert len(list(tmp_path.iterdir())) == 1


def test_a_missing_frame_names_the_file(tmp_path: Path) -> None:
    reference = stored(tmp_path)
    reference.path.unlink()
    with pytest.raises(StorageError, match=f"{reference.digest}.zst is missing"):
        reference.load()


def test_another_picture_under_that_name_is_noticed(tmp_path: Path) -> None:
    reference = stored(tmp_path)
    reference.path.write_bytes(encode(picture(2)))
    with pytest.raises(StorageError, match="not those of its name"):
        reference.load()
    unchecked = StoredFrame(reference.path, reference.digest, verify=False)
    assert np.array_equal(unchecked.load().pixels, picture(2).pixels)


@given(st.data())
def test_a_damaged_file_is_an_error_or_the_same_picture(data: st.DataObject) -> None:
    good = encode(picture(3))
    position = data.draw(st.integers(0, len(good) - 1))
    value = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(good)))
    damaged = good[:position] + bytes([value]) + good[position + 1 :]
    for candidate in (damaged, good[:cut]):
        try:
            pixels = decode(candidate)
        except StorageError:
            continue
        assert pixels.shape[2] == 4


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = zstandard.ZstdCompressor().compress(bytes(200_000_000))
    with pytest.raises(StorageError, match="claim 200000000 bytes instead of 12288"):
        decode(header(64, 48) + bomb)


def test_a_stream_that_hides_its_size_is_refused() -> None:
    packer = zstandard.ZstdCompressor(write_content_size=False).compressobj()
    body = packer.compress(picture(1).pixels.tobytes()) + packer.flush()
    with pytest.raises(StorageError, match="instead of 12288"):
        decode(header(64, 48) + body)


def test_data_after_the_picture_are_refused() -> None:
    with pytest.raises(StorageError, match="damaged"):
        decode(encode(picture(1)) + b"more")


@pytest.mark.parametrize("size", [(0, 5), (100_000, 100_000)])
def test_impossible_sizes_are_refused(size: tuple[int, int]) -> None:
    with pytest.raises(StorageError, match="claims"):
        decode(header(*size) + b"")


def test_the_cache_keeps_the_last_used_within_its_limit(tmp_path: Path) -> None:
    cache = FrameCache(limit_bytes=2 * 64 * 48 * 4)
    frames = [stored(tmp_path, number, cache) for number in range(3)]
    for reference in (frames[0], frames[1], frames[0], frames[2]):
        reference.load()
    for reference in frames:
        reference.path.unlink()
    assert frames[0].load().digest == frames[0].digest
    assert frames[2].load().digest == frames[2].digest
    with pytest.raises(StorageError, match="missing"):
        frames[1].load()
    cache.forget(tmp_path)
    with pytest.raises(StorageError, match="missing"):
        frames[0].load()


def test_a_full_disk_is_told_and_leaves_no_half_frame(tmp_path: Path) -> None:
    blocked = tmp_path / "frames"
    blocked.write_text("a file where a folder should be")
    with pytest.raises(StorageError, match="could not be written"):
        write_frame(blocked, picture(1))
    assert read_frame(stored(tmp_path).path) is not None
    assert not list(tmp_path.glob(".*.tmp"))
