"""The composition root of the window: makes the services, opens the window, runs Qt."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from evaluators.catalogue import default_registry
from trajectories.errors import UserError
from trajectories.storage.store import Store
from trajectories.targets.base import Target
from trajectories.targets.running import simulators
from workbench import resources
from workbench.models.settings import Settings
from workbench.services import scaling
from workbench.services.catalogue import DOMAINS, TargetOffer
from workbench.services.hub import Services, Sources
from workbench.services.interrupt import Interrupts
from workbench.views import theme as looks
from workbench.views import uimap
from workbench.views.application import application
from workbench.views.window import MainWindow

if TYPE_CHECKING:
    from workbench.workspace import Workspace


def simulator_offers(workspace: Path) -> tuple[TargetOffer, ...]:
    """The simulators that ship with the program, as targets to start."""
    pages = resources.simulators()
    return tuple(_offer(name, pages, workspace / "downloads") for name in simulators(pages))


def _offer(name: str, pages: Path, downloads: Path) -> TargetOffer:
    def make() -> Target:
        from trajectories.targets.simulators import PageSettings, SimulatorTarget

        folder = downloads / name
        folder.mkdir(parents=True, exist_ok=True)
        return SimulatorTarget(name, pages, PageSettings(mode="full"), downloads=folder)

    return TargetOffer(name, DOMAINS.get(name, name), name, make)


def make_services(workspace: Path) -> Services:
    """All services on a workspace; UserError when it cannot be used."""
    workspace.mkdir(parents=True, exist_ok=True)
    return Services(
        Sources(
            workspace,
            Store(workspace),
            default_registry(),
            resources.task_library(),
            simulator_offers(workspace),
        )
    )


def make_window(services: Services, theme_mode: looks.Mode | None = None) -> MainWindow:
    """The window on these services, themed and filled, not yet shown."""
    try:
        services.settings.load()
    except UserError as error:
        services.messages.error(error)
    app = application()
    looks.apply(app, theme_mode or services.settings.get("theme"))
    with looks.bare(app):
        window = MainWindow(services)
    services.messages.listen()
    window.listing.refresh()
    window.getters.keeper.restore()
    window.recovery.look()
    window.come_back()
    return window


def open_window(
    workspace: Path | Workspace,
    *,
    episode: str | None = None,
    target: str | None = None,
    theme: looks.Mode | None = None,
) -> int:
    """Open the window on a workspace and run it to its end; the exit code."""
    root = workspace if isinstance(workspace, Path) else workspace.ensure().root
    scaling.scale(_kept_scale(root))
    app = application()
    services = make_services(root)
    interrupts = Interrupts()
    try:
        window = make_window(services, theme)
        interrupts.asked_to_end.connect(window.close)
        interrupts.install()
        window.hooks.install()
        window.show()
        uimap.offer(window)
        if target is not None:
            window.capture.choose_target(target)
            window.go("capture")
            window.run_action("start_target")
        if episode is not None:
            window.open_episode(episode)
        code = app.exec()
    finally:
        interrupts.remove()
        services.close()
    if window.assistance.start_again:
        start_again()
    return code


def _kept_scale(workspace: Path) -> str:
    """The scale setting; what is wrong with the file is told when the window is there."""
    settings = Settings(workspace)
    with contextlib.suppress(UserError):
        settings.load()
    return str(settings.get("scale"))


def start_again() -> None:
    """Become the same program anew, with the environment it was started with."""
    scaling.forget()
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
