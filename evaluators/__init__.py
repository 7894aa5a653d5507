"""What can be said about an episode: getters, metrics, verdicts, reliability. No Qt, no sessions."""
