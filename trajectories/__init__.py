"""What happened on a screen: frames, actions, episodes, sessions. No Qt, no evaluators."""
