"""Numbers from text, strictly: what can be read two ways is uncertain, never guessed.

Read: sign (also the Unicode minus), decimal point or comma, thousands by comma, point, apostrophe
or thin space, exponents (1.2e5, 1.2×10⁵, 1.2 x 10^5), a unit after the number, words around it.
Uncertain: more than one number, "1,234" (decimal or thousands), letters that look like digits
beside digits, two signs, another unit than asked for.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

_MINUS = r"\-−‐‑–"
_THIN = "\u00a0\u2009\u202f"
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_LOOKALIKE = "OoIl|SBZ"
_CURRENCY = "$€£¥"
_MANTISSA = rf"(?:[0-9][0-9.,'’{_THIN}]*|[.,][0-9]+)"
_POWER = (
    rf"(?:[eE][+{_MINUS}]?[0-9]+"
    rf"|\s?[×x·*]\s?10(?:\^\s?[+{_MINUS}]?[0-9]+|[+{_MINUS}][0-9]+|[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))"
)
_NUMBER = re.compile(rf"(?:(?P<sign>[+{_MINUS}—±~]+)\s?)?(?P<body>{_MANTISSA})(?P<power>{_POWER})?")
_UNIT = re.compile(r"\s*([^\W\d_%°]*[%°Å℃ΩµμA-Za-z][^\s\d,;]*)?")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A number and its unit; or `problem`, why it is uncertain; or neither: no number there."""

    value: float | None = None
    unit: str = ""
    problem: str | None = None


def parse_number(text: str, unit: str | None = None) -> Parsed:
    """The one number in a text. unit: the unit it must carry (None: any or none)."""
    flat = " ".join(text.replace("\n", " ").split(" ")).strip()
    found = list(_NUMBER.finditer(flat))
    if not found:
        return _no_digits(flat)
    readings = [_one(flat, match) for match in found]
    if len(readings) > 1 and unit is not None:
        apart = zip(readings, found, strict=True)
        carrying = [r for r, m in apart if _same_unit(r.unit, unit) and _apart(flat, m)]
        readings = carrying if len(carrying) == 1 else readings
    if len(readings) > 1:
        return Parsed(problem=f"{text!r} holds {len(found)} numbers")
    only = readings[0]
    if only.problem is None and unit is not None and not _same_unit(only.unit, unit):
        return Parsed(problem=f"the unit is {only.unit or 'missing'!r}, not {unit!r}")
    return only


def _apart(text: str, match: re.Match[str]) -> bool:
    """Whether no digits stand right before, which may belong to the number ("1 234 nm")."""
    return not text[: match.start()].rstrip()[-1:].isdigit()


def _no_digits(text: str) -> Parsed:
    """Nothing, unless a word is made of what may be meant as digits."""
    if any(char.isdecimal() for char in text):
        return Parsed(problem=f"{text!r} has digits of another script")
    for word in text.split():
        if word.strip(".,") and all(char in _LOOKALIKE for char in word.strip(".,")):
            return Parsed(problem=f"{word!r} may be letters or digits")
    return Parsed()


def _one(text: str, match: re.Match[str]) -> Parsed:
    before = text[match.start() - 1] if match.start() else " "
    tail = text[match.end() :]
    sign, problem = _sign(match["sign"] or "", before)
    if before.isalnum() and not match["sign"]:
        problem = f"{text!r}: a letter stands right before the digits"
    if tail[:1] and tail[0] in _LOOKALIKE and (len(tail) == 1 or not tail[1].isalpha()):
        problem = f"{text!r}: {tail[0]!r} may be a letter or a digit"
    value, trouble = _mantissa(match["body"])
    problem = problem or trouble
    if problem is not None or value is None:
        return Parsed(unit=_unit(tail), problem=problem)
    return _scaled(sign, value, match["power"], _unit(tail))


def _scaled(sign: str, digits: str, power: str | None, unit: str) -> Parsed:
    exponent = 0
    if power is not None:
        raised = power[1:] if power[0] in "eE" else power.partition("10")[2].lstrip("^ ")
        exponent = int(re.sub(f"[{_MINUS}]", "-", raised.translate(_SUPERSCRIPTS)))
    value = float(f"{sign}{digits}e{exponent}")
    if math.isinf(value) or (value == 0 and digits.strip("0.")):
        return Parsed(unit=unit, problem=f"the exponent {exponent} is out of reach")
    return Parsed(value, unit)


def _sign(text: str, before: str) -> tuple[str, str | None]:
    """A minus or nothing, and why it is doubtful. A hyphen that joins a word is no sign."""
    if text == "" or text == "+":
        return "", None
    if len(text) == 1 and text in _MINUS[1:]:
        joined = before.isalnum()
        return "-", "a hyphen before the digits may be a sign or a joint" if joined else None
    return "", f"the sign {text!r} is doubtful"


def _mantissa(body: str) -> tuple[str | None, str | None]:
    """The digits with a decimal point; or why they can be read two ways."""
    body = body.rstrip(".,'’" + _THIN)
    grouped = re.sub(f"[{_THIN}'’]", " ", body)
    if " " in grouped:
        return _grouped(grouped, body)
    commas, points = body.count(","), body.count(".")
    if commas and points:
        return _two_marks(body)
    if commas == 1:
        return _one_comma(body)
    if commas > 1 or points > 1:
        return _all_groups(body, "," if commas else ".")
    return body, None


def _grouped(grouped: str, body: str) -> tuple[str | None, str | None]:
    whole, _, rest = re.sub(",", ".", grouped).partition(".")
    if re.fullmatch(r"\d{1,3}( \d{3})+", whole) and re.fullmatch(r"\d*", rest):
        return whole.replace(" ", "") + (f".{rest}" if rest else ""), None
    return None, f"{body!r} is not grouped in threes"


def _two_marks(body: str) -> tuple[str | None, str | None]:
    """The mark that comes last is the decimal one, the other groups thousands."""
    decimal, group = (",", ".") if body.rfind(",") > body.rfind(".") else (".", ",")
    whole, _, rest = body.rpartition(decimal)
    if decimal in whole or not re.fullmatch(rf"\d{{1,3}}(?:{re.escape(group)}\d{{3}})+", whole):
        return None, f"{body!r} mixes points and commas"
    return f"{whole.replace(group, '')}.{rest}", None


def _one_comma(body: str) -> tuple[str | None, str | None]:
    whole, _, rest = body.partition(",")
    if len(rest) == 3 and 1 <= len(whole) <= 3 and not whole.startswith("0"):
        return None, f"{body!r} may be a decimal comma or thousands"
    return f"{whole}.{rest}", None


def _all_groups(body: str, mark: str) -> tuple[str | None, str | None]:
    if re.fullmatch(rf"[1-9]\d{{0,2}}(?:{re.escape(mark)}\d{{3}})+", body):
        return body.replace(mark, ""), None
    return None, f"{body!r} has too many marks"


def _unit(tail: str) -> str:
    """The unit right after the number, without closing punctuation."""
    match = _UNIT.match(tail)
    found = match.group(1) if match and match.group(1) else ""
    return found.rstrip(".:)]")


def _same_unit(a: str, b: str) -> bool:
    return _plain_unit(a) == _plain_unit(b)


def _plain_unit(text: str) -> str:
    """µ and μ are one, so are Å and the ångström sign."""
    return text.strip().replace("μ", "µ").replace("Å", "Å")
