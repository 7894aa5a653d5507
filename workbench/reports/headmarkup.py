"""The top of an audit report: what was audited, by what, what came out, and the gate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version

from evaluators.gate import GateFailure
from evaluators.matrix import VerdictMatrix
from evaluators.reliability import AuditReport
from workbench.reports.audit_text import counted
from workbench.reports.markup import Safe, join, tag

PURPOSE = (
    "How far these evaluators can be trusted: every task was judged on every state, and each"
    " verdict was compared with the label that says what is true there."
)


def head_markup(title: str, matrix: VerdictMatrix, report: AuditReport, gate: Safe) -> Safe:
    """The title, the purpose in a sentence, and the facts one under another."""
    entries = (
        join([tag("dt", name), tag("dd", value)]) for name, value in _facts(matrix, report, gate)
    )
    listed = tag("dl", *entries, class_="facts")
    return tag("header", tag("h1", title), tag("p", PURPOSE, class_="purpose"), listed)


def _facts(matrix: VerdictMatrix, report: AuditReport, gate: Safe) -> Iterator[tuple[str, object]]:
    yield "Audited", _audited(matrix, report)
    yield "Result", _result(report)
    yield "Gate", gate
    yield "Labels", _labels(report)
    yield "Read by", _engines(matrix)
    stats = matrix.stats
    yield (
        "Readings",
        (
            f"{counted(stats.readings)}: {counted(stats.computed)} computed,"
            f" {counted(stats.cached)} from the cache,"
            f" {counted(stats.deduplicated)} asked more than once"
        ),
    )
    if made := str(matrix.provenance.get("created", "")):
        yield "Matrix made", made.replace("T", " ", 1).replace("+00:00", " UTC")


def _audited(matrix: VerdictMatrix, report: AuditReport) -> str:
    noops = f", and {report.noops} no-op" if report.noops else ""
    domain = str(matrix.provenance.get("domain", ""))
    corpus = str(matrix.provenance.get("corpus", ""))
    given = [f"domain {domain}"] if domain else []
    given += [f"corpus {corpus}"] if corpus else []
    return " · ".join([f"{len(matrix.tasks)} tasks × {report.states} states{noops}", *given])


def _labels(report: AuditReport) -> str:
    """How many cells had a label, at both levels."""
    parts = []
    for name, level in (("criterion", report.score), ("task", report.sr)):
        counts = level.counts
        labelled = counts.judged + counts.errors
        parts.append(f"{counted(labelled)} of {counted(labelled + counts.unlabelled)} {name} cells")
    return f"{parts[0]}, {parts[1]}"


def _engines(matrix: VerdictMatrix) -> str:
    engines = matrix.provenance.get("engines")
    read = ", ".join(str(e) for e in engines) if isinstance(engines, list) and engines else ""
    return f"{read or 'no reading engine'} · Graticule {_version()}"


def _version() -> str:
    try:
        return version("graticule")
    except PackageNotFoundError:
        return "from source"


def _result(report: AuditReport) -> Safe:
    """The number of wrong, unjudged and passing no-op cells; a figure above 0 is linked."""
    entries = (
        ("w0", len(report.wrong), "wrong"),
        ("u0", len(report.unjudged), "not judged"),
        ("n0", len(report.noop_passes), "passing on a no-op state"),
    )
    return join(
        [
            tag("a", f"{counted(count)} {words}", href=f"#{anchor}") if count else f"0 {words}"
            for anchor, count, words in entries
        ],
        " · ",
    )


def gate_markup(
    report: AuditReport,
    failures: Sequence[GateFailure] | None,
    min_f1: float | None,
    baseline: bool,
) -> Safe:
    """Whether the gate holds, and what it was asked; "holds" is never said of nothing."""
    if failures is None:
        return tag("span", "not asked", class_="none-asked")
    asked = list(_asked(report, failures, min_f1, baseline))
    if failures:
        lines = [tag("p", tag("strong", f.rule), f" {f.message}", class_="gate") for f in failures]
        verdict = tag("span", "does not hold", class_="badge failed")
        return join([verdict, _rules(asked), *lines])
    if not asked:
        return Safe("nothing to hold: no F1 bound, no baseline, and no no-op state was given")
    return join([tag("span", "holds", class_="badge passed"), _rules(asked)])


def _rules(asked: Sequence[str]) -> Safe:
    return tag("span", " asked: " + "; ".join(asked), class_="asked") if asked else Safe("")


def _asked(
    report: AuditReport, failures: Sequence[GateFailure], min_f1: float | None, baseline: bool
) -> Iterator[str]:
    rules = {failure.rule for failure in failures}
    if min_f1 is not None:
        yield f"lower 95 % bound of the F1 ≥ {min_f1:g} at both levels"
    elif rules & {"min-f1", "few-positives"}:
        yield "a lower bound of the F1"
    if baseline or rules & {"newly-wrong", "newly-unjudged"}:
        yield "no cell newly wrong or newly unjudged against the baseline"
    if report.noops:
        yield f"no pass on a no-op state ({report.noops} given)"
