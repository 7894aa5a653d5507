"""An episode and its steps as JSON and as lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trajectories.blackouts import blackouts

if TYPE_CHECKING:
    from trajectories.episode import Episode, Observation


def episode_json(episode: Episode) -> dict[str, Any]:
    """Header, steps and final observation; frames by digest."""
    header, target = episode.header, episode.header.target
    return {
        "id": header.id,
        "kind": header.kind.value,
        "task": header.task,
        "title": header.title,
        "target": {"name": target.name, "width": target.width, "height": target.height,
                   "clock": target.clock, "seed": target.seed, "goal": dict(target.goal)},
        "started_at": header.started_at,
        "termination": header.termination.value,
        "complete": header.complete,
        "warnings": list(header.warnings),
        "blackouts": [item.as_json() for item in blackouts(header)],
        "decisions": episode.decisions(),
        "observations": episode.observation_count,
        "steps": [
            {"id": step.id, "action": step.action.as_json(), "stage": step.stage,
             "intent": step.intent, "note": step.note, "tags": list(step.tags),
             "events": None if step.events is None else list(step.events),
             "before": _observation_json(step.before)}
            for step in episode.steps
        ],
        "final": None if episode.final is None else _final_json(episode.final),
    }  # fmt: skip


def _observation_json(observation: Observation) -> dict[str, Any]:
    return {
        "frame": None if observation.frame is None else observation.frame.digest,
        "t_ns": observation.t_ns,
        "virtual_ms": observation.virtual_ms,
    }


def _final_json(final: Observation) -> dict[str, Any]:
    return {**_observation_json(final), "note": final.note, "tags": list(final.tags)}


def describe_action(data: dict[str, Any]) -> str:
    """`click x=12 y=30`: the action in one line."""
    parts = [f"{key}={_short(value)}" for key, value in data.items() if key != "kind"]
    return " ".join([str(data["kind"]), *parts])


def _short(value: Any) -> str:
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 60 else text[:57] + "…"
