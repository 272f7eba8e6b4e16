"""Arrays in files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy

from ludens.core import tensor_file
from ludens.core.error import BadRecord


def test_arrays_and_notes_come_back(tmp_path: Path) -> None:
    arrays = {"a": np.arange(6.0).reshape(2, 3), "b": np.arange(5, dtype=np.uint16), "none": np.zeros(0, np.float32)}
    tensor_file.write(tmp_path / "file", arrays, {"what": "a test"})
    found, notes = tensor_file.read(tmp_path / "file")
    assert notes == tensor_file.read_notes(tmp_path / "file") == {"what": "a test"}
    assert {n: (a.dtype, a.tolist()) for n, a in found.items()} == {n: (a.dtype, a.tolist()) for n, a in arrays.items()}
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_others_read_it_and_we_read_theirs(tmp_path: Path) -> None:
    arrays: dict[str, np.ndarray] = {"a": np.arange(4, dtype=np.float32), "b": np.arange(3, dtype=np.uint8)}
    tensor_file.write(tmp_path / "ours", arrays, {})
    safetensors.numpy.save_file(arrays, tmp_path / "theirs")
    theirs = safetensors.numpy.load_file(tmp_path / "ours")
    ours, _ = tensor_file.read(tmp_path / "theirs")
    assert all(a.tobytes() == theirs[n].tobytes() == ours[n].tobytes() for n, a in arrays.items())


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"[1]",
        b'{"a": 3}',
        b'{"a": {"dtype": "F64", "shape": [9], "data_offsets": [0, 8]}}',
        b'{"__metadata__": 3}',
        b"{",
    ],
)
def test_nonsense_is_refused(tmp_path: Path, head: bytes) -> None:
    (tmp_path / "file").write_bytes(len(head).to_bytes(8, "little") + head + bytes(8))
    with pytest.raises(BadRecord):
        tensor_file.read(tmp_path / "file")


def test_what_is_no_such_file_is_told_with_what_would_be(tmp_path: Path) -> None:
    np.savez(tmp_path / "junk.npz", a=np.zeros(3))
    with pytest.raises(BadRecord, match=r"junk\.npz is no safetensors file: name a file that `ludens train` or"):
        tensor_file.read(tmp_path / "junk.npz")


def test_an_array_beyond_the_end_is_refused(tmp_path: Path) -> None:
    head = b'{"a": {"dtype": "F64", "shape": [9], "data_offsets": [0, 72]}}'
    (tmp_path / "file").write_bytes(len(head).to_bytes(8, "little") + head + bytes(8))
    with pytest.raises(BadRecord, match="cut short"):
        tensor_file.read(tmp_path / "file")
