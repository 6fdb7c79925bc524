"""Benchmarks beside rivals; each proves its answer before it reports a time."""
