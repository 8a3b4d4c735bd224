import asyncio
import logging
import os
import re
import sqlite3
from collections import Counter, defaultdict
from contextlib import closing

logger = logging.getLogger(__name__)
SKU_PATTERN = re.compile(r"^(?P<group>[A-Z]{2,4})-(?P<number>\d{3,6})(?:/(?P<variant>[a-z0-9]+))?$")


class InventoryError(Exception):
    """Raised when the stock does not add up."""


def parse_sku(text):
    match = SKU_PATTERN.match(text.strip())
    if match is None:
        raise InventoryError("not a SKU: %r" % text)
    return match.group("group"), int(match.group("number")), match.group("variant") or None


def open_database(path=":memory:"):
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    connection.executescript(
        """
        CREATE TABLE IF NOT EXISTS items (sku TEXT PRIMARY KEY, title TEXT NOT NULL, price_cents INTEGER);
        CREATE TABLE IF NOT EXISTS movements (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            sku TEXT REFERENCES items(sku) ON DELETE CASCADE,
            delta INTEGER CHECK (delta != 0),
            noted_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
        );
        """
    )
    return connection


async def import_lines(lines, connection, *, batch_size=500):
    pending, failures = [], Counter()
    async for number, line in lines:
        try:
            sku, delta = line.rstrip("\n").split("\t", maxsplit=1)
            parse_sku(sku)
            pending.append((sku, int(delta)))
        except (ValueError, InventoryError) as exc:
            failures[type(exc).__name__] += 1
            logger.warning("line %d skipped: %s", number, exc)
            continue
        if len(pending) >= batch_size:
            await asyncio.to_thread(write_batch, connection, pending)
            pending = []
    if pending:
        await asyncio.to_thread(write_batch, connection, pending)
    return dict(failures)


def write_batch(connection, rows):
    with connection:
        connection.executemany("INSERT INTO movements (sku, delta) VALUES (?, ?)", rows)


def stock_by_group(connection):
    totals = defaultdict(int)
    with closing(connection.execute("SELECT sku, SUM(delta) AS amount FROM movements GROUP BY sku")) as cursor:
        for row in cursor:
            group, _, _ = parse_sku(row["sku"])
            totals[group] += row["amount"]
    return {group: amount for group, amount in sorted(totals.items()) if amount}


if __name__ == "__main__":
    logging.basicConfig(level=os.environ.get("LOG_LEVEL", "INFO").upper())
    print(stock_by_group(open_database(os.getenv("INVENTORY_DB", "inventory.sqlite3"))))
