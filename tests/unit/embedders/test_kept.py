import hashlib
import logging
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from paraqa.embedders.kept import KeptVectors

LIMIT = 10**8


def key(number: int) -> bytes:
    return hashlib.sha256(str(number).encode()).digest()


def vectors(numbers: range) -> dict[bytes, list[float]]:
    return {key(n): [float(n)] * 384 for n in numbers}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "vectors" / "model.sqlite"


def test_what_is_kept_is_found_and_nothing_else(path):
    kept = KeptVectors(path, limit=LIMIT)
    assert kept.find([key(1)]) == {}
    kept.keep(vectors(range(3)))
    assert kept.find([key(1), key(7), key(2)]) == {key(1): [1.0] * 384, key(2): [2.0] * 384}
    assert kept.find([]) == {}


def test_it_is_found_by_the_next_process(path):
    KeptVectors(path, limit=LIMIT).keep(vectors(range(3)))
    program = (
        "import sys; from pathlib import Path; from paraqa.embedders.kept import KeptVectors;"
        "kept = KeptVectors(Path(sys.argv[1]), limit=10**8);"
        "print(kept.find([bytes.fromhex(sys.argv[2])]).popitem()[1][:2])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, str(path), key(2).hex()],
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout.strip(), done.stderr) == ("[2.0, 2.0]", "")


def test_processes_may_write_at_the_same_time(path):
    program = (
        "import sys, hashlib; from pathlib import Path\n"
        "from paraqa.embedders.kept import KeptVectors\n"
        "kept = KeptVectors(Path(sys.argv[1]), limit=10**8)\n"
        "for n in range(int(sys.argv[2]), 300, 2):\n"
        "    key = hashlib.sha256(str(n).encode()).digest()\n"
        "    kept.keep({key: [float(n)] * 384})\n"
        "    assert kept.find([key])\n"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(path), str(n)], stderr=subprocess.PIPE, text=True
        )
        for n in range(2)
    ]
    said = [process.communicate()[1] for process in started]
    assert said == ["", ""]
    wanted = vectors(range(300))
    assert KeptVectors(path, limit=LIMIT).find(list(wanted)) == wanted


def test_threads_may_use_it_at_the_same_time(path):
    kept = KeptVectors(path, limit=LIMIT)

    def use(number: int) -> bool:
        kept.keep(vectors(range(number, number + 3)))
        return kept.find([key(number)]) == vectors(range(number, number + 1))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, range(100)))


@pytest.mark.parametrize("damage", ["other", "half", "holes"])
def test_a_damaged_file_is_put_aside_and_begun_anew(path, damage):
    kept = KeptVectors(path, limit=LIMIT)
    kept.keep(vectors(range(200)))
    kept.close()
    whole = path.read_bytes()
    damaged = {
        "other": b"<html>" * 1000,
        "half": whole[: len(whole) // 2],
        "holes": b"".join(whole[n : n + 4096] + b"\xff" * 4096 for n in range(0, len(whole), 8192)),
    }
    path.write_bytes(damaged[damage])
    kept = KeptVectors(path, limit=LIMIT)
    found = kept.find([key(n) for n in range(200)])
    assert found.items() <= vectors(range(200)).items()
    kept.keep(vectors(range(300)))
    assert kept.find(list(vectors(range(300)))) == vectors(range(300))
    assert path.with_suffix(".damaged").read_bytes()[:100] == damaged[damage][:100]


def test_a_file_damaged_while_it_is_open_is_begun_anew_by_all_who_have_it_open(path):
    first, second = (KeptVectors(path, limit=LIMIT) for _ in range(2))
    for kept in (first, second):
        kept.keep(vectors(range(200)))
    with path.open("r+b") as file:
        file.write(b"\0" * path.stat().st_size)
    for start, kept in ((0, first), (100, second), (200, first)):
        kept.keep(vectors(range(start, start + 100)))
    wanted = vectors(range(300))
    assert len(KeptVectors(path, limit=LIMIT).find(list(wanted))) >= 200
    assert second.find(list(wanted)).items() <= wanted.items()


def test_a_vector_that_the_disk_changed_is_not_given(path):
    kept = KeptVectors(path, limit=LIMIT)
    kept.keep(vectors(range(1, 4)))
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE vectors SET vector = zeroblob(1536) WHERE rowid = 1")
        connection.execute("UPDATE vectors SET vector = 'text' WHERE rowid = 2")
    connection.close()
    assert kept.find([key(1), key(2), key(3)]) == vectors(range(3, 4))


def test_where_nothing_can_be_written_nothing_is_kept_and_that_is_said_once(tmp_path, caplog):
    (tmp_path / "taken").write_text("a file")
    kept = KeptVectors(tmp_path / "taken" / "model.sqlite", limit=LIMIT)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            kept.keep(vectors(range(3)))
            assert kept.find([key(1)]) == {}
    assert len(caplog.records) == 1
    assert "taken" in caplog.text


def test_a_file_of_another_program_is_left_as_it_is(path, caplog):
    path.parent.mkdir()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE vectors (something TEXT)")
    connection.close()
    kept = KeptVectors(path, limit=LIMIT)
    with caplog.at_level(logging.WARNING):
        kept.keep(vectors(range(3)))
        assert kept.find([key(1)]) == {}
    assert len(caplog.records) == 1


def test_above_its_limit_the_oldest_are_forgotten(path):
    limit = 500_000
    kept = KeptVectors(path, limit=limit)
    for start in range(0, 2000, 16):
        kept.keep(vectors(range(start, start + 16)))
    found = kept.find(list(vectors(range(2000))))
    assert 200 < len(found) < 320
    assert list(found) == [key(n) for n in range(2000 - len(found), 2000)]
    kept.close()
    assert path.stat().st_size <= limit


def test_a_lower_limit_makes_the_file_smaller(path):
    kept = KeptVectors(path, limit=LIMIT)
    kept.keep(vectors(range(1000)))
    kept.close()
    before = path.stat().st_size
    kept = KeptVectors(path, limit=before // 4)
    kept.keep(vectors(range(1000, 1001)))
    kept.close()
    assert path.stat().st_size < before // 3  # an index does not shrink by as much


def test_a_limit_below_one_vector_fails_nothing(path):
    kept = KeptVectors(path, limit=1)
    for _ in range(3):
        kept.keep(vectors(range(5)))
    assert kept.find([key(1)]) == {}
