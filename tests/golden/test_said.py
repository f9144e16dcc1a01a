"""Expected texts of tests: none is kept for a test that no longer exists."""

from __future__ import annotations

from tests.golden.said import FOLDER, ROOT, modules, path_of, read


def test_no_text_is_left_over() -> None:
    paths = {path_of(module): ROOT / module for module in modules()}
    assert set(FOLDER.glob("*.txt")) == set(paths), "python -m tests.golden.make"
    for path, module in paths.items():
        source = module.read_text(encoding="utf-8")
        for test in read(path):
            assert f"def {test.partition('[')[0]}(" in source, f"{path.name}: python -m tests.golden.make"
