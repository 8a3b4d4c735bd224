"""Predicts tides from harmonic constituents, and prints a table for one day."""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Iterable, Iterator

EPOCH = datetime(2000, 1, 1, tzinfo=timezone.utc)
MEAN_LUNAR_DAY = timedelta(hours=24, minutes=50, seconds=28)


@dataclass(frozen=True)
class Constituent:
    """One wave of the tide: its speed in degrees per hour, amplitude in meters and phase in degrees."""

    name: str
    speed: float
    amplitude: float
    phase: float = 0.0

    def height_at(self, moment: datetime) -> float:
        hours = (moment - EPOCH).total_seconds() / 3600
        return self.amplitude * math.cos(math.radians(self.speed * hours - self.phase))


@dataclass
class Station:
    name: str
    latitude: float
    longitude: float
    mean_level: float = 0.0
    constituents: list[Constituent] = field(default_factory=list)

    @classmethod
    def load(cls, path: Path) -> "Station":
        with path.open(encoding="utf-8") as file:
            raw = json.load(file)
        waves = [Constituent(**wave) for wave in raw.pop("constituents", [])]
        return cls(**raw, constituents=waves)

    def height_at(self, moment: datetime) -> float:
        if not self.constituents:
            raise ValueError(f"{self.name} has no constituents")
        return self.mean_level + sum(wave.height_at(moment) for wave in self.constituents)

    def extremes(self, start: datetime, end: datetime, step: timedelta = timedelta(minutes=6)) -> Iterator[tuple[str, datetime, float]]:
        """Yields ("high" | "low", moment, height) for each turn of the tide between start and end."""
        previous, current = self.height_at(start), self.height_at(start + step)
        moment = start + step
        while moment < end:
            following = self.height_at(moment + step)
            if current > previous and current >= following:
                yield "high", moment, round(current, 2)
            elif current < previous and current <= following:
                yield "low", moment, round(current, 2)
            previous, current, moment = current, following, moment + step


def table(rows: Iterable[tuple[str, datetime, float]]) -> str:
    lines = ["kind  time   height", "----  -----  ------"]
    for kind, moment, height in rows:
        lines.append(f"{kind:<4}  {moment:%H:%M}  {height:>5.2f}m")
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("station", type=Path, help="JSON file with the constituents of a station")
    parser.add_argument("--day", type=lambda text: datetime.strptime(text, "%Y-%m-%d"), default=datetime.now())
    parser.add_argument("--verbose", "-v", action="count", default=0)
    options = parser.parse_args(argv)
    try:
        station = Station.load(options.station)
    except (OSError, json.JSONDecodeError) as error:
        parser.exit(2, f"{options.station} cannot be read: {error}\n")
    start = options.day.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=timezone.utc)
    print(table(station.extremes(start, start + MEAN_LUNAR_DAY)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
