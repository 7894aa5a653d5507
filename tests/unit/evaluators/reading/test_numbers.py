"""Numbers from text: the clear is read, the unclear is uncertain, what is not there is absent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.reading.numbers import parse_number


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("40", 40, ""),
        ("1593.356", 1593.356, ""),
        ("-12.5 nm", -12.5, "nm"),
        ("−12.5", -12.5, ""),
        ("–3", -3, ""),
        ("+5", 5, ""),
        ("- 12", -12, ""),
        ("12,5", 12.5, ""),
        ("0,125", 0.125, ""),
        ("1,234.5", 1234.5, ""),
        ("1.234,5", 1234.5, ""),
        ("1,234,567", 1234567, ""),
        ("1.234.567", 1234567, ""),
        ("1\u202f234.5", 1234.5, ""),
        ("1'234", 1234, ""),
        (".5", 0.5, ""),
        ("5.", 5, ""),
        ("0.", 0, ""),
        ("1.2e5", 1.2e5, ""),
        ("2.5E−3", 2.5e-3, ""),
        ("1.2×10⁵ Pa", 1.2e5, "Pa"),
        ("1.2 x 10^-5", 1.2e-5, ""),
        ("3·10⁻²", 0.03, ""),
        ("10kV", 10, "kV"),
        ("25 %", 25, "%"),
        ("20.0°", 20, "°"),
        ("0.01 deg/sec", 0.01, "deg/sec"),
        ("$0.00", 0, ""),
        ("Height: 21 inches", 21, "inches"),
        ("= 286.216", 286.216, ""),
    ],
)
def test_read(text: str, value: float, unit: str) -> None:
    got = parse_number(text)
    assert (got.value, got.unit, got.problem) == (value, unit, None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1,234", "decimal comma or thousands"),
        ("1,23,4", "too many marks"),
        ("1.2.3", "too many marks"),
        ("1.2.345", "too many marks"),
        ("12,34.5", "mixes points and commas"),
        ("1 234", "holds 2 numbers"),
        ("10–20", "holds 2 numbers"),
        ("1/2", "holds 2 numbers"),
        ("12:30", "holds 2 numbers"),
        ("C1s 285.0", "holds 2 numbers"),
        ("5x10", "holds 2 numbers"),
        ("O.5", "right before the digits"),
        ("l2.5", "right before the digits"),
        ("1O", "a letter or a digit"),
        ("1l", "a letter or a digit"),
        ("3O.5", "holds 2 numbers"),
        ("O", "may be letters or digits"),
        ("lO.S l", "letters or digits"),
        ("1e-999", "out of reach"),
        ("—12", "sign"),
        ("--5", "sign"),
        ("±5", "sign"),
        ("mp-149", "hyphen"),
        ("1.2e400", "out of reach"),
        ("١٢", "another script"),
    ],
)
def test_uncertain(text: str, said: str) -> None:
    got = parse_number(text)
    assert got.value is None
    assert got.problem is not None
    assert said in got.problem


@pytest.mark.parametrize("text", ["", "   ", "abc", "READY", "²", "—"])
def test_absent(text: str) -> None:
    got = parse_number(text)
    assert (got.value, got.problem) == (None, None)


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("12.5 μm", "µm", 12.5),
        ("40 kV", "kV", 40),
        ("3 px 12 nm", "nm", 12),
        ("5 Å", "Å", 5),
        ("40 kV", "mA", None),
        ("40", "kV", None),
        ("1 234 nm", "nm", None),
        ("3 nm 4 nm", "nm", None),
    ],
)
def test_units(text: str, unit: str, value: float | None) -> None:
    got = parse_number(text, unit)
    assert got.value == value
    assert (got.problem is None) == (value is not None)


@given(st.floats(-1e12, 1e12))
def test_what_python_writes_is_read_back(value: float) -> None:
    assert parse_number(repr(value)).value == value


@given(st.integers(0, 10**12), st.sampled_from(["\u202f", "\u00a0", "'"]))
def test_grouping_by_other_than_comma_and_point(value: int, mark: str) -> None:
    assert parse_number(f"{value:,}".replace(",", mark)).value == value


@given(st.integers(-(10**9), 10**9), st.integers(1, 9))
def test_decimal_comma_is_never_misread(whole: int, last: int) -> None:
    """Either the right number or uncertain, never another one."""
    got = parse_number(f"{whole},{last}")
    assert got.value is None or got.value == float(f"{whole}.{last}")


@given(st.text(alphabet="0123456789.,-−eEx×^ OlISZkVnm%°'\u202f", max_size=16))
def test_any_text_gives_one_of_three(text: str) -> None:
    got = parse_number(text)
    assert got.value is None or got.problem is None
    if got.value is not None:
        assert any(char.isdigit() for char in text)
