"""The parts of .ci/contest-endurance."""
