"""Drives the real window by mouse and keys and measures it; `graticule bench` runs it as a process.

`python -m workbench.gauges NAME WORKSPACE JSON` prints one JSON document.
"""
