"""What can be said of an episode: getters, metrics, verdicts, reliability. No Qt, no sessions."""
