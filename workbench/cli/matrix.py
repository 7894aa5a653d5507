"""`graticule matrix --domain D -o M.json`."""

from __future__ import annotations

import argparse
import contextlib
import ipaddress
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from trajectories.errors import TargetError, UsageError
from workbench.cli.context import Context, Parser

if TYPE_CHECKING:
    from evaluators.matrix import VerdictMatrix
    from trajectories.episode import State
    from workbench.runs.auditing import Lost

CONNECT_S = 15


def configure(parser: Parser) -> None:
    """Tasks, states, where to write, and what to compute on."""
    parser.add_argument("--domain", required=True, metavar="D", help="xrd, vesta, …")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="M.json")
    parser.add_argument("--tasks", type=Path, action="append", default=[], metavar="FILE",
                        help="also the tasks of this file (repeatable)")  # fmt: skip
    parser.add_argument("--corpus", metavar="NAME",
                        help="the states of this corpus (default: the domain's name)")  # fmt: skip
    parser.add_argument("--states", nargs="+", metavar="EPISODE[@K]",
                        help="these states instead of a corpus")  # fmt: skip
    parser.add_argument("--no-op", action="store_true",
                        help="add the states nobody has acted on yet as columns")  # fmt: skip
    parser.add_argument("--jobs", type=int, metavar="N",
                        help="processes (default: one less than there are cores)")  # fmt: skip
    parser.add_argument("--cluster", metavar="ADDRESS",
                        help="compute on a Dask cluster (tls:// or this machine)")  # fmt: skip
    parser.add_argument("--insecure", action="store_true",
                        help="allow a cluster that is neither encrypted nor local")  # fmt: skip
    parser.add_argument("--no-cache", action="store_true", help="read everything anew")
    parser.set_defaults(run=run)


def run(context: Context, args: argparse.Namespace) -> int:
    """Compute the matrix, write it, and print what it took."""
    from evaluators.cache import StoreCache
    from evaluators.catalogue import default_registry
    from evaluators.matrix import save
    from workbench.library import open_library
    from workbench.runs.auditing import cross

    _check(args)
    tasks = open_library(context.workspace, args.tasks).domain(args.domain)
    states, titles, provenance = _states(context, args)
    cache = None if args.no_cache else StoreCache(context.store)
    with executor(args) as pool:
        job = cross(tasks, states, default_registry(), pool, cache, noop=args.no_op, titles=titles)
        matrix = context.out.run(job)
    given = {"domain": args.domain, "task_files": [str(path.resolve()) for path in args.tasks]}
    matrix = replace(matrix, provenance={**matrix.provenance, **provenance, **given})
    save(matrix, args.output)
    document = summary(matrix, args.output)
    context.out.document(document, lambda: _text(context, document))
    return 0


def _check(args: argparse.Namespace) -> None:
    """Refuse what cannot work before anything is computed."""
    if args.corpus and args.states:
        raise UsageError("Give --corpus or --states, not both.")
    if args.jobs is not None and args.jobs < 1:
        raise UsageError("--jobs must be at least 1.")
    if args.cluster:
        check_cluster(args.cluster, args.insecure)
    if not args.output.absolute().parent.is_dir():
        raise UsageError(f"There is no folder {args.output.parent}.", "Make it first.")


def _states(
    context: Context, args: argparse.Namespace
) -> tuple[Sequence[State | Lost], dict[str, str], dict[str, Any]]:
    """The states, their titles, and what the matrix keeps about where they come from.

    One that is named here has to be there; one of a corpus may be lost, which is said.
    """
    from trajectories.progress import run as run_job
    from workbench.cli.corpus import open_corpus
    from workbench.runs.auditing import Lost, read_states, state_loader, state_of, told

    if args.states:
        return [state_of(context.store, text) for text in args.states], {}, {}
    corpus = open_corpus(context, args.corpus or args.domain)
    entries = corpus.states()
    titles = {entry.state: entry.title for entry in entries if entry.title}
    states = run_job(read_states([e.state for e in entries], state_loader(context.store)))
    if lost := [state for state in states if isinstance(state, Lost)]:
        context.out.note(f"graticule: {told(lost, 'their cells are errors')}")
    return states, titles, {"corpus": corpus.name}


@contextlib.contextmanager
def executor(args: argparse.Namespace) -> Iterator[Executor | None]:
    """A cluster, a local pool, or None for this process alone."""
    import os

    from evaluators.pool import local_pool
    from evaluators.reading.ocr import engine

    jobs = args.jobs or max(1, (os.cpu_count() or 2) - 1)
    if args.cluster:
        with _cluster(args.cluster) as remote:
            yield remote
    elif jobs == 1:
        yield None
    else:
        with local_pool(jobs, partial(engine, "auto")) as pool:
            yield pool


def check_cluster(address: str, insecure: bool) -> None:
    """UsageError unless the address is encrypted, on this machine, or allowed by --insecure."""
    try:
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
    except ValueError as error:  # half an IPv6 address
        raise UsageError(f"{address!r} is not the address of a cluster: {error}.") from error
    host = parts.hostname
    if not host:
        raise UsageError(
            f"{address!r} is not the address of a cluster.", "For example tls://host:8786"
        )
    if parts.scheme == "tls" or insecure or _is_loopback(host):
        return
    raise UsageError(
        f"{address} is neither encrypted nor on this machine: whoever can reach it could run code.",
        "Use a tls:// address, or --insecure if you trust the network.",
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@contextlib.contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError as error:
        raise TargetError(
            "Computing on a cluster needs the package 'distributed'.",
            "pip install 'graticule[cluster]'",
        ) from error
    try:
        client = Client(address, timeout=CONNECT_S)
    except OSError as error:  # its TimeoutError is one, too
        raise TargetError(
            f"There is no cluster at {address}: {error}.", "Start it, or leave --cluster out."
        ) from error
    try:
        yield client.get_executor()
    finally:
        client.close()


def summary(matrix: VerdictMatrix, path: Path) -> dict[str, Any]:
    """What `matrix --json` prints; the cells are in the file."""
    from collections import Counter

    success = Counter(cell.success.value for cell in matrix.cells.values())
    criteria = Counter(r.status.value for cell in matrix.cells.values() for r in cell.results)
    return {
        "file": str(path),
        "tasks": len(matrix.tasks),
        "states": sum(not column.noop for column in matrix.states),
        "noop_states": sum(column.noop for column in matrix.states),
        "cells": len(matrix.cells),
        "success": dict(success),
        "criteria": dict(criteria),
        "stats": matrix.stats.as_json(),
        "provenance": dict(matrix.provenance),
    }


def _text(context: Context, document: dict[str, Any]) -> None:
    out, stats = context.out, document["stats"]
    out.line(f"{document['tasks']} tasks × {document['states']} states"
             f" (+ {document['noop_states']} no-op) = {document['cells']} cells")  # fmt: skip
    for name in ("success", "criteria"):
        counts = ", ".join(f"{n} {word}" for word, n in sorted(document[name].items()))
        out.line(f"  {name}: {counts}")
    out.line(f"  {stats['readings']} readings: {stats['computed']} computed,"
             f" {stats['cached']} known, {stats['deduplicated']} asked more than once;"
             f" {stats['seconds']:.2f} s")  # fmt: skip
    out.line(f"Wrote {document['file']}. Next: graticule audit {document['file']}")
