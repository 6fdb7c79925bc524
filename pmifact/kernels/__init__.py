"""Compiled inner loops: arrays in, arrays out; nothing here knows pmifact's types."""
