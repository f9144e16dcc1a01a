"""Each cure of Textual asks first: where the fault is not, or Textual is built otherwise, nothing is mended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.widget import Widget

from duelbox.ui.terminal.textual_faults import CURES, is_shown, repair


@pytest.mark.parametrize(
    ("owner", "name", "original", "cured", "probe"), CURES, ids=lambda one: getattr(one, "__name__", "")
)
def test_a_cure_goes_where_its_probe_shows_the_fault(
    owner: Any, name: str, original: Any, cured: Any, probe: Callable[[Any], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    def built_otherwise(*_: Any) -> Any:
        raise AttributeError

    assert is_shown(probe, original)
    if owner is Widget:  # the fault is not in the method
        monkeypatch.setattr(vars(Widget)["virtual_size"], "_layout", False)
    for better in (cured, built_otherwise):
        monkeypatch.setattr("duelbox.ui.terminal.textual_faults.CURES", ((owner, name, better, cured, probe),))
        monkeypatch.setattr(owner, name, better)
        repair()
        assert vars(owner)[name] is better
