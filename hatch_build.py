"""Puts the browser client into the wheel, built by this machine's Node or by the one that pip has."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))

from tools import client


class ClientHook(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        return [] if client.of_machine() else [client.WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Whoever works on Wardogs builds it with make client: an editable install has none."""
        if version == "editable":
            return
        self.folder = tempfile.TemporaryDirectory()
        to = Path(self.folder.name) / "client"
        client.build(to)
        build_data["force_include"][str(to)] = "wardogs/client"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self.folder.cleanup()
