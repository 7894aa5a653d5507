"""tasks, getters, corpus, evaluate, matrix and audit on pictures with known content."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trajectories.errors import UsageError
from workbench.cli import main
from workbench.cli.matrix import check_cluster

Run = Callable[..., Any]


def test_tasks_are_listed_and_counted(run: Run) -> None:
    rows = {row["id"]: row for row in run("tasks", "list")}
    assert rows["open-on"]["suite"] == "own"
    assert rows["open-on"]["tool"] == "panel"
    assert rows["open-on"]["points"] == 2
    assert rows["XRD-S1"]["suite"] == "labosbench"
    assert {r["id"] for r in run("tasks", "list", "--domain", "panel")} == {
        f"{w}-{x}" for w in ("open", "closed", "ready") for x in ("on", "off")
    }
    stats = run("tasks", "stats")
    assert stats["own"]["panel"] == {"tasks": 6, "easy": 6, "medium": 0, "hard": 0, "points": 12}
    assert stats["own"]["total"] == {"tasks": 6, "points": 12}
    assert stats["labosbench"]["xrd"] == {"subtasks": 8}
    assert stats["labosbench"]["total"]["subtasks"] == 8


def test_the_check_finds_what_is_wrong(run: Run, panels: Path) -> None:
    assert run("tasks", "check")["findings"] == []
    bad = panels / "bad.json"
    data = json.loads((panels / "tasks" / "panel.json").read_text())
    data["tasks"][0]["criteria"][0]["getter"] = "region_txt"
    data["tasks"][1]["criteria"][1]["params"]["region"]["w"] = 400
    bad.write_text(json.dumps(data))
    findings = run("tasks", "check", str(bad), code=6)["findings"]
    text = " ".join(f"{f['where']} {f['message']} {f['hint']}" for f in findings)
    assert "region_txt" in text
    assert "tasks[0].criteria[0]" in text
    assert "tasks[1].criteria[1]" in text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d["tasks"][0]["criteria"][0].update(getter="region_txt"), "region_txt"),
        (lambda d: d["tasks"][0]["criteria"][0].update(weight="heavy"), "weight"),
        (lambda d: d["tasks"][0]["criteria"][0]["params"]["region"].update(x=199), "200"),
        (lambda d: d["tasks"][1].update(id="open-on"), "open-on"),
    ],
)
def test_a_task_file_that_cannot_be_parsed_is_five(
    run: Run, panels: Path, change: Callable[[Any], None], said: str
) -> None:
    file = panels / "tasks" / "panel.json"
    data = json.loads(file.read_text())
    change(data)
    file.write_text(json.dumps(data))
    error = run("evaluate", "open-lit", "--task", "open-on", code=5)["error"]
    assert "panel.json" in error["message"]
    assert said in error["message"] + error["hint"]


def test_getters_name_their_parameters_and_metrics(run: Run) -> None:
    rows = {row["name"]: row for row in run("getters", "list")}
    text = rows["region_text"]
    assert text["value_type"] == "text"
    assert text["label"] == "Text in region"
    assert "exact_match" in text["metrics"]
    assert "number_within" not in text["metrics"]
    region = text["params"][0]
    assert (region["name"], region["type"], region["required"]) == ("region", "Region", True)
    colour = {p["name"]: p for p in rows["region_colour"]["params"]}
    assert colour["tolerance"]["default"] == 10.0


def test_a_verdict_has_every_criterion(run: Run) -> None:
    verdict = run("evaluate", "open-lit", "--task", "open-off")
    by_id = {c["criterion"]: c for c in verdict["criteria"]}
    assert by_id["word"]["status"] == "passed"
    assert by_id["word"]["value"] == "OPEN"
    assert by_id["lamp"]["status"] == "failed"
    assert by_id["lamp"]["reason"]
    assert verdict["score"] == 0.5
    assert verdict["success"] == "failed"
    assert verdict["simulator"] is None


def test_a_region_for_another_frame_size_is_an_error_verdict(run: Run) -> None:
    verdict = run("evaluate", "open-lit", "--task", "XRD-S1")
    assert verdict["criteria"][0]["status"] == "error"
    assert "1280×800" in verdict["criteria"][0]["reason"]
    assert "200×60" in verdict["criteria"][0]["reason"]
    assert verdict["score"] is None
    assert verdict["bounds"] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (("evaluate", "nowhere", "--task", "open-on"), 4, "nowhere"),
        (("evaluate", "open-lit", "--task", "open-onn"), 2, "open-on"),
        (("evaluate", "open-lit"), 2, "no task"),
        (("evaluate", "open-lit@3", "--task", "open-on"), 4, "observations 0 to 0"),
        (("evaluate", "open-lit@0", "--state", "0", "--task", "open-on"), 2, "twice"),
        (("evaluate", "open-lit", "--task", "x", "--tasks", "/nowhere.json"), 4, "/nowhere.json"),
        (("corpus", "show", "none"), 4, "none"),
        (("corpus", "show", "../x"), 2, "no name"),
        (("corpus", "add-state", "panel", "open-lit", "nowhere"), 4, "nowhere"),
        (("corpus", "label", "panel", "open-lit", "open-on", "true", "--criterion", "x"), 2, "x"),
        (("matrix", "--domain", "panle", "-o", "M.json"), 2, "panel"),
        (("matrix", "--domain", "panel", "-o", "/nowhere/M.json"), 2, "/nowhere"),
        (("matrix", "--domain", "panel", "-o", "M.json", "--jobs", "0"), 2, "--jobs"),
        (("matrix", "--domain", "panel", "-o", "M.json"), 4, "corpus"),
        (("audit", "/nowhere/M.json"), 4, "/nowhere/M.json"),
    ],
)
def test_what_is_not_there_is_named(
    run: Run, argv: tuple[str, ...], code: int, said: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    error = run(*argv, code=code)["error"]
    assert said in error["message"] + error["hint"]


def test_nothing_is_added_when_one_state_is_unknown(run: Run) -> None:
    run("corpus", "add-state", "panel", "open-lit", "nowhere", code=4)
    assert run("corpus", "list") == []


def test_facts_labels_and_states_are_kept(run: Run, corpus: str) -> None:
    run("corpus", "label", "panel", "open-lit", "open-on", "false", "--criterion", "lamp")
    shown = run("corpus", "show", "panel")
    assert len(shown["states"]) == 6
    assert len(shown["facts"]) == 12
    assert shown["labels"][0]["origin"] == "human"
    assert shown["labels"][0]["value"] is False
    (row,) = run("corpus", "list")
    assert row == {"name": "panel", "states": 6, "facts": 12, "labels": 1}
    conflicts = run("corpus", "check", "panel", code=6)["findings"]
    assert len([c for c in conflicts if "open-on.lamp" in c]) == 1
    run("corpus", "label", "panel", "open-lit", "open-on", "null", "--criterion", "lamp")
    assert run("corpus", "check", "panel")["findings"] == []
    run("corpus", "add-state", "panel", "open-lit", "--remove")
    assert len(run("corpus", "show", "panel")["states"]) == 5


def test_matrix_and_audit_of_evaluators_that_are_right(
    run: Run, corpus: str, tmp_path: Path
) -> None:
    file = tmp_path / "M.json"
    made = run("matrix", "--domain", "panel", "-o", str(file))
    assert (made["tasks"], made["states"], made["cells"]) == (6, 6, 36)
    assert made["success"] == {"passed": 6, "failed": 30}
    assert made["provenance"]["corpus"] == "panel"
    report = run("audit", str(file))
    assert report["score"]["counts"]["fp"] == report["score"]["counts"]["fn"] == 0
    assert report["score"]["figures"]["f1"]["value"] == 1.0
    assert report["sr"]["figures"]["f1"]["value"] == 1.0
    assert 0 < report["sr"]["figures"]["f1"]["low"] <= 1
    assert report["wrong"] == []
    assert report["gate"]["passed"]
    again = run("matrix", "--domain", "panel", "-o", str(file))
    assert again["stats"]["computed"] == 0
    assert again["stats"]["cached"] == made["stats"]["computed"] > 0


def test_an_episode_that_is_gone_costs_its_own_cells_only(
    run: Run, corpus: str, panels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "M.json"
    run("episodes", "delete", "open-lit")
    assert (
        main.run(["matrix", "--domain", "panel", "-o", str(file), "--workspace", str(panels)]) == 0
    )
    said = capsys.readouterr().err
    assert "1 of the states cannot be read, their cells are errors" in said
    assert "open-lit" in said
    cells = json.loads(file.read_text("utf-8"))["cells"]
    lost = [cell for cell in cells if cell["state"] == "open-lit@0"]
    assert [cell["success"] for cell in lost] == ["error"] * 6
    assert all("open-lit" in result["reason"] for cell in lost for result in cell["results"])
    report = run("audit", str(file), "--report", str(tmp_path / "R.html"))
    assert report["score"]["figures"]["f1"]["value"] == 1.0
    assert report["score"]["counts"]["tp"] == 25  # of 30: without the five of open-lit
    assert any("labels are left out" in problem for problem in report["problems"])
    assert "labels are left out" in (tmp_path / "R.html").read_text("utf-8")
    error = run("matrix", "--domain", "panel", "-o", str(file), "--states", "open-lit", code=4)
    assert "open-lit" in error["error"]["message"]


def test_black_out_takes_the_readings_of_kept_matrices(run: Run, corpus: str, panels: Path) -> None:
    (panels / "matrices").mkdir()
    file = panels / "matrices" / "M.json"
    run("matrix", "--domain", "panel", "-o", str(file))
    told = run("episodes", "black-out", "open-lit", "--yes")
    assert (told["withdrawn"], told["matrices"], told["unread"]) == (12, [str(file)], [])
    page = panels / "R.html"
    assert run("audit", str(file), "--report", str(page))["score"]["counts"]["tp"] == 25
    text = page.read_text("utf-8")
    assert "Blacked out: 1 episodes" in text
    assert "observation 0, wholly" in text


def test_the_gate_fails_on_an_evaluator_that_got_worse(
    run: Run, corpus: str, panels: Path, tmp_path: Path
) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    run("matrix", "--domain", "panel", "-o", str(good))
    file = panels / "tasks" / "panel.json"
    data = json.loads(file.read_text())
    data["tasks"][0]["criteria"][0].update(expected="CLOSED", claims="word=OPEN")
    file.write_text(json.dumps(data))
    run("matrix", "--domain", "panel", "-o", str(bad))
    report = run("audit", str(bad), "--min-f1", "0.9", "--baseline", str(good), "-o",
                 str(tmp_path / "A.json"), "--heatmap", str(tmp_path / "H.png"), "--report",
                 str(tmp_path / "R.html"), code=6)  # fmt: skip
    assert json.loads((tmp_path / "A.json").read_text("utf-8")) == report
    assert (tmp_path / "H.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "R.html").read_text("utf-8")
    assert "open-on" in page
    assert "<script" not in page
    rules = {failure["rule"] for failure in report["gate"]["failures"]}
    assert {"min-f1", "newly-wrong"} <= rules
    wrong = {(w["task"], w["criterion"], w["state"]) for w in report["wrong"]}
    assert ("open-on", "word", "open-lit@0") in wrong
    assert ("open-on", None, "open-lit@0") in wrong
    spared = run("audit", str(bad), "--exclude", "open-on.word=known")
    assert ("open-on", "word") not in {(w["task"], w["criterion"]) for w in spared["wrong"]}


def test_closing_a_matrix_job_keeps_what_was_read(run: Run, corpus: str, panels: Path) -> None:
    from evaluators.cache import StoreCache
    from trajectories.progress import run as drive
    from trajectories.storage.store import Store
    from workbench.library import open_library
    from workbench.runs.auditing import cross, open_named, state_of
    from workbench.workspace import Workspace

    workspace = Workspace(panels)
    library = open_library(workspace)
    with Store(panels) as store:
        states = [state_of(store, e.state) for e in open_named(workspace, "panel").states()]
        tasks, cache = library.domain("panel"), StoreCache(store)
        whole = drive(cross(tasks, states, library.registry, None, None)).stats.computed
        job = cross(tasks, states, library.registry, None, cache)
        read = 0
        while read < 5:
            read = int(next(job).text.split()[0])
        job.close()
        rest = drive(cross(tasks, states, library.registry, None, cache)).stats
    assert rest.cached == read
    assert rest.computed == whole - read


def test_people_see_figures_with_their_intervals_and_rules(
    run: Run, corpus: str, panels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "M.json"
    run("matrix", "--domain", "panel", "-o", str(file))
    assert main.run(["audit", str(file), "--workspace", str(panels)]) == 0
    text = capsys.readouterr().out
    assert "pooled over all labelled (task, criterion, state) cells" in text
    assert "95 % interval" in text
    assert "not the pooled F1" in text
    assert "0 cells wrong" in text


@pytest.mark.parametrize("states", [["open-lit", "closed-dark"]])
def test_states_can_be_named_one_by_one(run: Run, states: list[str], tmp_path: Path) -> None:
    file = tmp_path / "M.json"
    made = run("matrix", "--domain", "panel", "-o", str(file), "--states", *states)
    assert made["cells"] == 12
    error = run("audit", str(file), code=2)["error"]
    assert "--labels" in error["hint"]


def test_a_matrix_file_that_was_damaged_is_a_storage_error(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "M.json"
    file.write_text('{"format": 1')
    assert str(file) in run("audit", str(file), code=4)["error"]["message"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("task_files", 7),
        ("task_files", ["x" * 5_000]),
        ("task_files", [{}]),
        ("corpus", 7),
        ("corpus", "../corpora/panel"),
        ("corpus", ".."),
    ],
)
def test_a_matrix_that_lies_about_where_it_comes_from(
    run: Run, corpus: str, tmp_path: Path, key: str, value: Any
) -> None:
    file = tmp_path / "M.json"
    run("matrix", "--domain", "panel", "-o", str(file), "--states", "open-lit")
    document = json.loads(file.read_text())
    document["provenance"] |= {"corpus": "panel", key: value}
    file.write_text(json.dumps(document))
    run("audit", str(file), code=4)


def test_half_an_address_is_no_cluster() -> None:
    with pytest.raises(UsageError, match="not the address"):
        check_cluster("tls://[", insecure=True)


@pytest.mark.parametrize(
    "address", ["tls://cluster.example:8786", "tcp://127.0.0.1:8786", "localhost:8786", "[::1]:1"]
)
def test_encrypted_and_local_clusters_are_allowed(address: str) -> None:
    check_cluster(address, insecure=False)


@pytest.mark.parametrize(
    "address", ["tcp://10.0.0.1:8786", "cluster.example:1", "127.0.0.1.evil:1"]
)
def test_open_clusters_need_insecure(run: Run, address: str, tmp_path: Path) -> None:
    file = str(tmp_path / "M.json")
    argv = ("matrix", "--domain", "panel", "-o", file, "--cluster", address)
    assert "--insecure" in run(*argv, code=2)["error"]["hint"]
    check_cluster(address, insecure=True)


def test_a_cluster_without_its_package_says_what_to_install(
    run: Run, corpus: str, tmp_path: Path
) -> None:
    file = str(tmp_path / "M.json")
    argv = ("matrix", "--domain", "panel", "-o", file, "--cluster", "tcp://127.0.0.1:9")
    error = run(*argv, code=3)["error"]
    assert "distributed" in error["message"] + error["hint"] or "127.0.0.1" in error["message"]
