"""How the tests are spread over the cores."""

from __future__ import annotations

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

BROWSER = "tests/browser/"


class Spread(LoadScopeScheduling):
    """Each test for itself, but those in a browser on one core, from the beginning: they take longest together, two browsers
    would starve each other, and two that install one would shut each other out. Groups by mark are no way: with pytest 9.2
    pytest-xdist 3.8 does not see them any more, and says nothing."""

    def _split_scope(self, nodeid: str) -> str:
        return BROWSER if nodeid.startswith(BROWSER) else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Spread:
    return Spread(config, log)
