"""The application: command line, window, runs and benchmarks over trajectories and evaluators."""
